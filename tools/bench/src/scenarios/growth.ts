import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { fillOrderLog } from '../fill-order-log';
import { freshDatabase } from '../fresh-database';
import { GROWTH } from '../goals';
import { paymentRequest } from '../load/payment-request';
import { untilCalm } from '../machine/cpu-meter';
import { bulkPayments, countDetails } from '../product/bulk-payments';
import { countEvents } from '../product/log-rows';
import { probe } from '../product/probes';
import { Product } from '../product/product';
import { eventually } from '../product/request';
import { runRounds, type Round } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { badlyEnded } from './shot';

const TIMES = 10;
const PAYMENTS = { full: 10_000, quick: 1_000 };
const EVENTS = { full: 60_000, quick: 9_000 };
const CONNECTIONS = 64;
const WORKED_OFF_WITHIN_MS = 300_000;

/** The same program with ten times the data, against itself: creating, polling, rebuilding. */
export const growth: Scenario = {
  name: 'growth',
  slow: true,
  async run(bench) {
    const size = bench.flags.quick ? 'quick' : 'full';
    const rounds = Math.min(2, bench.flags.rounds);
    const served = await runRounds<FiguresSide>(
      bench,
      'growth',
      {
        baseline: () => serve(bench, PAYMENTS[size]),
        candidate: () => serve(bench, PAYMENTS[size] * TIMES),
      },
      (round) => `create ${line(round, 'create_rps')}, poll ${line(round, 'poll_rps')}`,
      rounds,
    );
    const rebuilt = await runRounds<FiguresSide>(
      bench,
      'growth of the log',
      {
        baseline: () => rebuildOf(bench, EVENTS[size]),
        candidate: () => rebuildOf(bench, EVENTS[size] * TIMES),
      },
      (round) => `rebuild ${line(round, 'rebuild_per_s')}`,
      rounds,
    );
    const named = { name: 'growth', baseline_name: 'a tenth of the data' };
    const entry = (metric: string, of: typeof served, more: number) =>
      entryOfRounds(bench, of, {
        ...named,
        params: { what: metric, data: more * TIMES },
        compared: [metric],
        goals: GROWTH(metric),
      });
    return [
      entry('create_rps', served, PAYMENTS[size]),
      entry('poll_rps', served, PAYMENTS[size]),
      entry('rebuild_per_s', rebuilt, EVENTS[size]),
    ];
  },
};

function line({ baseline, candidate }: Round<FiguresSide>, name: string): string {
  const [ours, theirs] = [candidate.figures[name] ?? NaN, baseline.figures[name] ?? NaN];
  return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
}

/** A program that has `payments` pending payments, and has worked all of them off. */
async function serve(bench: Bench, payments: number): Promise<FiguresSide> {
  const { warmup_ms, timed_ms, profile } = bench.flags;
  const database = await freshDatabase(bench, 'growth');
  const { connection_string } = database;
  const env = { DATABASE_URL: connection_string };
  const start = { data_dir: bench.folder('growth'), env, profile };
  let product = await Product.start(start);
  try {
    const wrong = await probe(product);
    if (wrong.length > 0) return { figures: {}, faults: wrong };
    await product.stop();
    await bulkPayments(connection_string, payments);
    product = await Product.start(start);
    const there = () => countDetails(connection_string);
    await eventually('payments are shown', there, (count) => count > payments, WORKED_OFF_WITHIN_MS);
    await untilCalm(product.metered, WORKED_OFF_WITHIN_MS);

    const before = await countEvents(connection_string, 'PaymentCreated');
    const times = { url: product.url, connections: CONNECTIONS, warmup_ms, timed_ms };
    const create = paymentRequest(product.ready.demo.api_key);
    const created = await bench.load.run({ ...times, request: create });
    await untilCalm(product.metered);
    const paths = Array.from({ length: 100 }, (_, n) => {
      const number = String(1 + Math.floor((n * payments) / 100)).padStart(22, '0');
      return `/api/v1/payments/pay_test_${number}/status`;
    });
    const poll = { method: 'GET', paths, headers: {}, body: 'none' } as const;
    const polled = await bench.load.run({ ...times, request: poll });
    const faults = [created, polled].flatMap((load) => badlyEnded(load));
    const stored = (await countEvents(connection_string, 'PaymentCreated')) - before;
    if (stored !== created.accepted) faults.push(`${created.accepted} answers, ${stored} rows`);
    return { figures: { create_rps: created.rps, poll_rps: polled.rps }, faults };
  } finally {
    await product.stop().catch(() => undefined);
    await database.drop();
  }
}

async function rebuildOf(bench: Bench, events: number): Promise<FiguresSide> {
  const database = await freshDatabase(bench, 'growth');
  const { connection_string } = database;
  const ask = async (what: string) => {
    const child = Child.start(path.join(__dirname, '../candidates/view-loop.js'));
    try {
      const order = { connection_string, do: what, events };
      return await child.ask<{ per_s: number; rss_mb: number }>(order);
    } finally {
      await child.stop();
    }
  };
  try {
    await ask('prepare');
    await fillOrderLog(connection_string, events / 3);
    const { per_s, rss_mb } = await ask('rebuild');
    return { figures: { rebuild_per_s: per_s, rss_mb }, faults: [] };
  } finally {
    await database.drop();
  }
}
