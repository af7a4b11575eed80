import { check, checkFromTheBeginning, History } from './checker';
import type { Client } from './client';
import { Load, settle } from './load';
import { newMerchant, type Merchant } from './merchants';
import type { Program } from './program';
import { Receiver } from './receiver';

/** A merchant on a program in which parts will fail, the endpoint of its webhooks, and what its client knows. */
export class Trade {
  readonly history = new History();
  private readonly loads: Load[] = [];
  private constructor(
    readonly program: Program,
    readonly receiver: Receiver,
    readonly merchant: Merchant,
  ) {}

  /** On a program that its story has started, and that goes with this. */
  static async begin(program: Program): Promise<Trade> {
    const receiver = await Receiver.start();
    const merchant = await newMerchant(program, { webhook_url: receiver.url });
    return new Trade(program, receiver, merchant);
  }

  /** Orders that come from now on, and no others: a test that failed leaves none to the next. A name is used once. */
  load(name: string, clients?: readonly Client[]): Load {
    const { merchant, history } = this;
    for (const earlier of this.loads) earlier.abandon();
    const load = new Load({ merchant, history, name, ...(clients ? { clients } : {}) });
    this.loads.push(load);
    return load;
  }

  /** Orders succeed again, everything that was begun ends, and nothing is lost or doubled. */
  async recovers(load: Load): Promise<void> {
    await load.served(3);
    await load.stop();
    await settle(this.program, this.merchant);
    await this.check();
  }

  check(): Promise<void> {
    return check(this.program, this.merchant, this.receiver, this.history);
  }

  checkFromTheBeginning(): Promise<void> {
    return checkFromTheBeginning(this.program, this.merchant, this.receiver, this.history);
  }

  async end(): Promise<void> {
    for (const load of this.loads) load.abandon();
    await this.receiver.close();
    await this.program.discard();
  }
}
