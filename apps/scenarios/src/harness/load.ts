import type { History } from './checker';
import type { Answer, Client } from './client';
import { eventually } from './eventually';
import type { Program } from './program';
import type { Merchant } from './merchants';
import { hasStalled } from './stalls';

const WORKERS = 2;
const PACE_MS = 150;
/** As a client waits: one that hammered would only make the check longer. */
const AFTER_FAILURE_MS = 1_500;
/** A clock that is advanced waits for what is under way, up to two minutes: there is time for a few tries. */
const SETTLES_MS = 540_000;
/** Characters of what a program has said. */
const LAST_WORDS = 3_000;
/** What a client may be answered while something is broken: success, ask again later, or nothing at all. */
const EXPECTED = [200, 503, 'cut'];

export interface LoadOptions {
  readonly merchant: Merchant;
  readonly history: History;
  /** Begins the idempotency keys; a name is used once. */
  readonly name: string;
  /** Where the orders go, in turn; to the merchant's own client by default. */
  readonly clients?: readonly Client[];
}

/** Orders that come whatever happens, each third one paid; remembers what was asked and answered. */
export class Load {
  /** Of the orders, oldest first: HTTP statuses, and `cut` where no answer came. */
  readonly outcomes: (number | 'cut')[] = [];
  /** Those of them without success that came while the machine had not stood still: nothing excuses them. */
  readonly failures: (number | 'cut')[] = [];
  private readonly clients: readonly Client[];
  private readonly working: Promise<unknown>;
  private ended = false;

  constructor(private readonly options: LoadOptions) {
    this.clients = options.clients ?? [options.merchant.api.once()];
    this.working = Promise.all(Array.from({ length: WORKERS }, (_, worker) => this.work(worker)));
  }

  /** So many more orders have been answered with success. */
  async served(more: number): Promise<void> {
    const succeeded = async () => this.outcomes.filter((outcome) => outcome === 200).length;
    const before = await succeeded();
    await eventually(succeeded, (count) => count >= before + more);
  }

  /** No order comes any more, whatever becomes of the last ones. */
  abandon(): void {
    this.ended = true;
  }

  async stop(): Promise<void> {
    this.ended = true;
    await this.working;
    const surprises = this.outcomes.filter((outcome) => !EXPECTED.includes(outcome));
    if (surprises.length > 0) throw new Error(`orders were answered with ${String(surprises)}`);
  }

  private async work(worker: number): Promise<void> {
    for (let index = 0; !this.ended; index += 1) {
      const outcome = await this.order(index, `${this.options.name}-${worker}-${index}`);
      this.outcomes.push(outcome);
      if (outcome !== 200 && !hasStalled()) this.failures.push(outcome);
      const pace_ms = outcome === 200 ? PACE_MS : AFTER_FAILURE_MS;
      await new Promise((resolve) => setTimeout(resolve, pace_ms));
    }
  }

  private async order(index: number, key: string): Promise<number | 'cut'> {
    const { history } = this.options;
    const api = this.clients[index % this.clients.length] as Client;
    const order = { key, amount: 1 + (index % 50), answer: null as string | null };
    history.orders.push(order);
    const created = await answered(
      api.post('/api/v1/payments', { amount: order.amount }, { 'idempotency-key': key }),
    );
    if (created?.status !== 200) return created?.status ?? 'cut';
    order.answer = created.text;
    if (index % 3 !== 0) return 200;
    const payment_id = created.json.id as string;
    const paid = await answered(api.post('/api/v1/test_helpers/pay', { payment_id }));
    if (paid?.status === 200) history.paid.set(payment_id, paid.json.signature as string);
    return 200;
  }
}

const answered = (asking: Promise<Answer>): Promise<Answer | null> => asking.catch(() => null);

/** Every service serves, and nothing that was begun is under way: not even a payment that was cut off. */
export async function settle(program: Program, merchant: Merchant): Promise<void> {
  await program.untilAllServe();
  // What is still in the way when patience ends is in the error: the last answer, or how it was cut.
  const advance = () =>
    merchant.api
      .once()
      .post('/api/v1/test_helpers/clock/advance', { seconds: 1 })
      .catch((error: unknown) => ({ status: 'cut', text: String(error) }));
  const isDone = ({ status }: { readonly status: unknown }) => status === 200;
  await eventually(advance, isDone, SETTLES_MS).catch((error: unknown) => {
    throw new Error(`${String(error)}\nThe program said last: ${program.output.slice(-LAST_WORDS)}`);
  });
}
