import { setTimeout as sleep } from 'node:timers/promises';
import { Histogram } from '../load/histogram';
import type { Sink } from '../load/sink';
import type { Figures } from '../report/entry';
import type { BareTransfers } from './bare-transfers';
import type { PaidPayment } from './refunding-shop';

const LOOK_MS = 200;
const LAST_TOLD_MS = 120_000;

interface Beside {
  readonly apart_ms: number;
  /** Where the merchants’ webhooks arrive. */
  readonly sink: Sink;
  readonly bare: BareTransfers;
}

export interface OneByOne {
  /** Bare transfers, from the node’s answer to final. */
  readonly transfers: Figures;
  /** Refunds, from the answer to the webhook that the money is back. */
  readonly told: Figures;
  readonly faults: readonly string[];
}

/** Asks for a refund at each moment, whatever became of those before, and sends a bare transfer in the same one. */
export async function oneByOne(
  payments: readonly PaidPayment[],
  { apart_ms, sink, bare }: Beside,
): Promise<OneByOne> {
  const answered = new Map<string, number>();
  const faults: string[] = [];
  const noteFault = (error: unknown): void => void faults.push((error as Error).message);
  let is_asking = true;
  const all_final = bare.untilFinal(() => is_asking);
  const under_way: Promise<void>[] = [];
  const began = performance.now();
  for (const [number, payment] of payments.entries()) {
    await sleep(Math.max(0, began + number * apart_ms - performance.now()));
    const both = [askFor(payment, answered), bare.send()];
    under_way.push(...both.map((one) => one.catch(noteFault)));
  }
  await Promise.all(under_way);
  is_asking = false;
  const final = new Histogram();
  for (const took_ms of await all_final) final.add(took_ms);
  const told = await toldOf(answered, sink);
  if (told.count < payments.length) faults.push(`${told.count} of ${payments.length} refunds were told of`);
  const transfers = { p50: final.quantile(0.5), p99: final.quantile(0.99) };
  const p99 = told.quantile(0.99);
  const beyond_finality_p99 = p99 - transfers.p99;
  return { transfers, told: { p50: told.quantile(0.5), p99, beyond_finality_p99 }, faults };
}

async function askFor(payment: PaidPayment, answered: Map<string, number>): Promise<void> {
  await payment.refund();
  answered.set(payment.payment_id, performance.timeOrigin + performance.now());
}

/** How long each took until its webhook came. */
async function toldOf(answered: ReadonlyMap<string, number>, sink: Sink): Promise<Histogram> {
  for (const until = performance.now() + LAST_TOLD_MS; ; await sleep(LOOK_MS)) {
    const { arrivals } = await sink.show();
    const told = arrivals.filter(({ event, payment_id }) => {
      return event === 'RefundCompleted' && answered.has(payment_id);
    });
    if (told.length < answered.size && performance.now() < until) continue;
    const took = new Histogram();
    for (const { payment_id, at_ms } of told) {
      took.add(at_ms - (answered.get(payment_id) as number));
    }
    return took;
  }
}
