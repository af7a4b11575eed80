import type { ChainTransaction, Runtime } from '@tender/eventing';
import type { CursorLease } from '../move-cursor/cursor-lease';
import type { NetworkMemory } from '../network-memory/network-memory';

const LOOK_UPS_AT_ONCE = 4;

type Settle = (transactions: readonly ChainTransaction[]) => Promise<void>;

/** What was looked up: references of watches and addresses of wallets, and signatures of submissions. */
export interface LookedUp {
  readonly keys: readonly string[];
  readonly signatures: readonly string[];
}

/**
 * Looks up watches and wallets that came after blocks which may name them, each once. Blocks that are remembered are
 * read again, one request for all of them in a block; beyond memory each costs a request of its own. So does a
 * transaction that was handed in: its block may have been read before.
 */
export class WatchLookUps {
  constructor(
    private readonly runtime: Pick<Runtime, 'chains'>,
    private readonly memory: NetworkMemory,
    private readonly lease: CursorLease,
  ) {}

  /**
   * Answers what was looked up, after `settle` has taken what was found. Blocks were read up to `read_slot` and are not
   * read again: a node that is behind it may lack just what they hold.
   */
  async run(read_slot: number, settle: Settle): Promise<LookedUp> {
    const { book } = this.memory;
    const wanted = new Map(book.lookUps);
    const signatures = [...book.submissions.lookUps];
    const unknown = [...wanted.keys()].filter((key) => wanted.get(key) === null);
    const slots = new Set([...wanted.values()].flatMap((named) => named ?? []));
    const chain = this.runtime.chains[this.memory.mode];
    await this.settleAll(
      unknown.map((key) => () => chain.transactionsOf(key, read_slot)),
      settle,
    );
    await this.settleAll(
      [...slots]
        .sort((one, other) => one - other)
        .map((slot) => async () => {
          const block = await chain.block(slot, (key) => wanted.has(key));
          return block?.transactions ?? [];
        }),
      settle,
    );
    await this.settleAll(
      signatures.map((signature) => async () => {
        const found = await chain.transaction(signature);
        return found === null ? [] : [found];
      }),
      settle,
    );
    return { keys: [...wanted.keys()], signatures };
  }

  /** Asks for a few at once and settles them in order. */
  private async settleAll(
    asks: readonly (() => Promise<readonly ChainTransaction[]>)[],
    settle: Settle,
  ): Promise<void> {
    for (let start = 0; start < asks.length; start += LOOK_UPS_AT_ONCE) {
      const some = asks.slice(start, start + LOOK_UPS_AT_ONCE);
      const found = await Promise.all(some.map((ask) => this.memory.silence.ask(ask)));
      for (const transactions of found) await settle(transactions);
      await this.lease.renew();
    }
  }
}
