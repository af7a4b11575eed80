import path from 'node:path';
import { Child } from '../child';
import type { ChainShown, Pace, ScriptedTransaction } from './fake-chain-spec';

/** A Solana node that plays a script, in a process of its own. */
export class FakeChain {
  private constructor(
    private readonly child: Child,
    readonly url: string,
  ) {}

  static async start(): Promise<FakeChain> {
    const child = Child.start(path.join(__dirname, 'fake-chain-child.js'));
    const { url } = await child.message<{ url: string }>();
    return new FakeChain(child, url);
  }

  async pace(pace: Pace): Promise<void> {
    await this.child.ask({ do: 'pace', pace });
  }

  async include(transactions: readonly ScriptedTransaction[]): Promise<void> {
    await this.child.ask({ do: 'include', transactions });
  }

  /** Each of the next blocks carries those transactions. */
  async script(blocks: readonly (readonly ScriptedTransaction[])[]): Promise<void> {
    await this.child.ask({ do: 'script', blocks });
  }

  async setBack(): Promise<void> {
    await this.child.ask({ do: 'set-back' });
  }

  show(): Promise<ChainShown> {
    return this.child.ask({ do: 'show' });
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}
