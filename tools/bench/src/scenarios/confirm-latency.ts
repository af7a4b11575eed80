import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { emptyTable } from '../baselines/tables';
import { FakeChain } from '../chain/fake-chain';
import { transferFor, type Payable } from '../chain/paying';
import { Child } from '../child';
import { CONFIRM_LATENCY } from '../goals';
import { Histogram } from '../load/histogram';
import { Sink } from '../load/sink';
import { RowWatch } from '../machine/row-watch';
import { inParallel, pointWebhook } from '../product/merchants';
import { Product } from '../product/product';
import { runRounds } from '../rounds';
import { madeUp, type Due } from './due-payments';
import { entryOfRounds, type FiguresSide } from './figures-side';

const PER_BLOCK = 8;
const PAYMENTS = { full: 400, quick: 96 };
const PACE = { slot_ms: 400, strangers: 1_200 };
const BARE_POLL_MS = 50;

/** From the block's first visibility to PaymentConfirmed in the log and to the webhook (goal 11). */
export const confirmLatency: Scenario = {
  name: 'confirm-latency',
  async run(bench) {
    const count = bench.flags.quick ? PAYMENTS.quick : PAYMENTS.full;
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      { baseline: () => bareFollower(bench, count), candidate: () => product(bench, count) },
      ({ baseline, candidate }) =>
        [candidate, baseline].map(({ figures }) => {
          const { stored_p50, stored_p99, webhook_p99 } = figures;
          const ms = [stored_p50, stored_p99, webhook_p99].map((value) => value?.toFixed(0));
          return `stored ${ms[0]}/${ms[1]} webhook p99 ${ms[2]} ms`;
        }).join(' against '),
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'confirm-latency',
        params: { payments: count, per_block: PER_BLOCK, slot_ms: PACE.slot_ms },
        baseline_name: 'bare-follower',
        compared: ['stored_p50', 'stored_p99', 'webhook_p99'],
        goals: CONFIRM_LATENCY,
      }),
    ];
  },
};

async function product(bench: Bench, count: number): Promise<FiguresSide> {
  const [chain, sink] = await Promise.all([FakeChain.start(), Sink.start(1)]);
  const running = await Product.start({
    data_dir: bench.folder('confirm'),
    env: { SOLANA_RPC_URL_TEST: chain.url },
    profile: bench.flags.profile,
  });
  try {
    await pointWebhook(running, `${sink.urls[0]}/hook`, running.ready.demo.api_key);
    const due: Due[] = [];
    await inParallel(count, 16, async () => {
      const { json } = await running.ask('POST', '/api/v1/payments', { amount: 5 });
      due.push({ payment_id: json.id as string, transfer: await transferFor(json as Payable) });
    });
    await sink.until(count);
    const watch = await RowWatch.start(
      running.server.connection_string,
      `SELECT position, split_part(stream, '-', 2) AS id FROM log.events
       WHERE position > $1 AND type = 'PaymentConfirmed' ORDER BY position`,
    );
    // Each payment has three webhooks: created, confirmed, settled.
    return await play(chain, sink, watch, due, 3 * count);
  } finally {
    await running.stop();
    await Promise.all([chain.stop(), sink.stop()]);
  }
}

async function bareFollower(bench: Bench, count: number): Promise<FiguresSide> {
  const [chain, sink] = await Promise.all([FakeChain.start(), Sink.start(1)]);
  const child = Child.start(path.join(__dirname, '../baselines/bare-follower.js'));
  try {
    const { connection_string } = await bench.server();
    await emptyTable(connection_string);
    const due = Array.from({ length: count }, (_, number) => madeUp(number));
    const [sink_url] = sink.urls;
    await child.ask({
      rpc_url: chain.url,
      sink_url,
      connection_string,
      references: due.map(({ payment_id, reference }) => ({ payment_id, reference })),
      poll_ms: BARE_POLL_MS,
    });
    const watch = await RowWatch.start(
      connection_string,
      `SELECT position, substr(stream, 9) AS id FROM bench_events
       WHERE position > $1 ORDER BY position`,
    );
    return await play(chain, sink, watch, due, count);
  } finally {
    await child.stop();
    await Promise.all([chain.stop(), sink.stop()]);
  }
}

/** Pays some of the payments in each block, whatever the follower does, and waits for the last webhook. */
async function play(
  chain: FakeChain,
  sink: Sink,
  watch: RowWatch,
  due: readonly Due[],
  webhooks: number,
): Promise<FiguresSide> {
  try {
    await chain.pace(PACE);
    await sleep(PACE.slot_ms * 5);
    const began = performance.now();
    for (let block = 0; block * PER_BLOCK < due.length; block += 1) {
      const some = due.slice(block * PER_BLOCK, (block + 1) * PER_BLOCK);
      await chain.include(some.map(({ transfer }) => transfer));
      await sleep(Math.max(0, began + (block + 1) * PACE.slot_ms - performance.now()));
    }
    await sink.until(webhooks, 20_000).catch(() => undefined);
    return figuresOf(due, await chain.show(), watch, await sink.show());
  } finally {
    await watch.stop();
  }
}

function figuresOf(
  due: readonly Due[],
  { visible }: { visible: Readonly<Record<string, number>> },
  { seen }: RowWatch,
  { arrivals }: { arrivals: readonly { at_ms: number; payment_id: string }[] },
): FiguresSide {
  const [stored, webhook] = [new Histogram(), new Histogram()];
  const arrived = new Map(arrivals.map(({ payment_id, at_ms }) => [payment_id, at_ms]));
  for (const { payment_id, transfer } of due) {
    const from = visible[transfer.signature];
    const [row, hook] = [seen.get(payment_id), arrived.get(payment_id)];
    if (from !== undefined && row !== undefined) stored.add(row - from);
    if (from !== undefined && hook !== undefined) webhook.add(hook - from);
  }
  const faults = [];
  if (stored.count < due.length) faults.push(`${stored.count} of ${due.length} payments were confirmed`);
  if (webhook.count < due.length) faults.push(`${webhook.count} of ${due.length} webhooks came`);
  return {
    figures: {
      stored_p50: stored.quantile(0.5),
      stored_p99: stored.quantile(0.99),
      webhook_p50: webhook.quantile(0.5),
      webhook_p99: webhook.quantile(0.99),
    },
    faults,
  };
}
