import { setTimeout as sleep } from 'node:timers/promises';
import type { FakeChain } from '../chain/fake-chain';
import { Histogram } from '../load/histogram';
import { meterCpu, type Metered } from '../machine/cpu-meter';
import type { RowWatch } from '../machine/row-watch';
import type { Due } from './due-payments';
import type { FiguresSide } from './figures-side';

const PACE = { slot_ms: 400, strangers: 1_200 };
const PATIENCE_MS = 60_000;
const LOOK_MS = 5;

export interface Waiting {
  readonly chain: FakeChain;
  readonly due: readonly Due[];
  readonly watch: RowWatch;
  /** Of the one who follows; its Node process is counted alone. */
  readonly metered: Metered;
  readonly waiting_ms: number;
}

/**
 * Lets the payments wait among blocks of strangers, then pays all of them in one block. Requests to the chain are
 * counted from the beginning of the wait until the last payment is stored.
 */
export async function waitAndPay(waiting: Waiting): Promise<FiguresSide> {
  const { chain, due, watch, metered, waiting_ms } = waiting;
  await chain.pace(PACE);
  await sleep(PACE.slot_ms * 5);
  await chain.setBack();
  const began = performance.now();
  const used = meterCpu(metered);
  await sleep(waiting_ms);
  const { calls } = await chain.show();
  const waited_s = (performance.now() - began) / 1000;
  const waiting_cores = used().node_s / waited_s;

  await chain.include(due.map(({ transfer }) => transfer));
  const until = performance.now() + PATIENCE_MS;
  while (watch.seen.size < due.length && performance.now() < until) await sleep(LOOK_MS);
  const { calls: all, visible } = await chain.show();
  const stored = new Histogram();
  let last_ms = 0;
  for (const { payment_id, transfer } of due) {
    const [from, to] = [visible[transfer.signature], watch.seen.get(payment_id)];
    if (from === undefined || to === undefined) continue;
    stored.add(to - from);
    last_ms = Math.max(last_ms, to - from);
  }
  const missing = due.length - stored.count;
  return {
    figures: {
      per_s: (stored.count * 1000) / last_ms,
      stored_p50: stored.quantile(0.5),
      rpc_per_payment: sum(all) / due.length,
      waiting_rpc_per_s: sum(calls) / waited_s,
      waiting_cores,
    },
    faults: missing === 0 ? [] : [`${missing} of ${due.length} payments were not confirmed`],
  };
}

const sum = (calls: Readonly<Record<string, number>>): number =>
  Object.values(calls).reduce((total, count) => total + count, 0);
