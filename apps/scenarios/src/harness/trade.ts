import { expect } from '@jest/globals';
import { check, checkFromTheBeginning, History } from './checker';
import type { Client } from './client';
import { Load, settle } from './load';
import { newMerchant, type Merchant } from './merchants';
import type { Program } from './program';
import { Receiver } from './receiver';

/** More than it takes to die of any fault. */
const ORDERS = 12;

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

  /** Creates orders until the process dies or they run out, pays one in `paid_each`, and remembers the answers. */
  async orderUntilDeath(round: string, paid_each = 1): Promise<void> {
    const api = this.merchant.api.once();
    for (let index = 0; index < ORDERS; index += 1) {
      const order = { key: `${round}-${index}`, amount: 1 + index, answer: null as string | null };
      this.history.orders.push(order);
      const asked = { 'idempotency-key': order.key };
      const body = { amount: order.amount };
      const created = await api.post('/api/v1/payments', body, asked).catch(() => null);
      // Asked to come again by a busy machine, it has not died: the next order comes.
      if (created?.status === 503) continue;
      if (created?.status !== 200) return;
      order.answer = created.text;
      if (index % paid_each !== 0) continue;
      const payment_id: string = created.json.id;
      const paid = await api.post('/api/v1/test_helpers/pay', { payment_id }).catch(() => null);
      if (paid?.status === 503) continue;
      if (paid?.status !== 200) return;
      this.history.paid.set(payment_id, paid.json.signature);
    }
  }

  /** It has died and starts again, what was cut off ends, and nothing is lost or doubled. */
  async survivesDeath(): Promise<void> {
    expect(await this.program.death()).toBe('SIGKILL');
    await this.program.start({});
    // Else a payment may be confirmed while the check counts.
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
