import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { toleranceOf, type Bench, type Scenario } from '../bench';
import { FakeChain } from '../chain/fake-chain';
import { transferFor, type Payable } from '../chain/paying';
import { STATUS_STREAMS } from '../goals';
import { Histogram } from '../load/histogram';
import { Listeners } from '../load/listeners';
import { pssMb } from '../machine/processes';
import { RowWatch } from '../machine/row-watch';
import { inParallel } from '../product/merchants';
import { Product } from '../product/product';
import { judge, type Figures } from '../report/entry';

const STREAMS = 5_000;
const PAID = { full: 400, quick: 96 };
const PER_BLOCK = 8;
const PACE = { slot_ms: 400, strangers: 1_200 };
/** What the indexer remembers of strangers is not the streams’. */
const QUIET = { ...PACE, strangers: 0 };
/** What follows from opening them, or from the payments, is written within that time. */
const CALM_MS = 12_000;
const LOOK_MS = 10_000;
const COLLECTING_MS = 1_000;
const GARBAGE = path.join(__dirname, '../machine/collect-garbage.js');
const KB_PER_MB = 1024;

/** Many customers listen to one process: memory of each, queries while nothing happens, and how soon they hear. */
export const statusStreams: Scenario = {
  name: 'status-streams',
  async run(bench) {
    const { before, after, told, faults } = await measured(bench);
    bench.say(
      `  ${after['kb_each']?.toFixed(1)} KB each (${after['used_kb_each']?.toFixed(1)} with garbage), told p50 ${told['told_p50']?.toFixed(0)} ` +
        `p99 ${told['told_p99']?.toFixed(0)} ms, idle ${after['queries_per_s']?.toFixed(1)} ` +
        `transactions per s (${before['queries_per_s']?.toFixed(1)} without streams)`,
    );
    const candidate = { ...after, ...told };
    const more = (after['queries_per_s'] ?? NaN) - (before['queries_per_s'] ?? NaN);
    return [
      judge(
        {
          name: 'status-streams',
          params: { streams: STREAMS },
          baseline_name: 'itself without streams',
          baseline: before,
          candidate: { ...candidate, more_queries_per_s: more },
          ratio: {},
          rows_checked: true,
          errors: faults.length,
          faults,
        },
        STATUS_STREAMS,
        toleranceOf(bench.flags),
      ),
    ];
  },
};

interface Measured {
  readonly before: Figures;
  readonly after: Figures;
  readonly told: Figures;
  readonly faults: readonly string[];
}

async function measured(bench: Bench): Promise<Measured> {
  const chain = await FakeChain.start();
  const product = await Product.start({
    data_dir: bench.folder('streams'),
    env: {
      SOLANA_RPC_URL_TEST: chain.url,
      STREAMS_PER_ADDRESS: String(STREAMS),
      NODE_OPTIONS: `--require ${GARBAGE}`,
    },
    profile: bench.flags.profile,
  });
  const listeners = new Listeners();
  try {
    await chain.pace(QUIET);
    const payments = await newPayments(product);
    // From the first poll on the process follows the log for all, polls and streams alike.
    await product.ask('GET', `/api/v1/payments/${payments[0]?.id}/status`, undefined, { key: null });
    await sleep(CALM_MS);
    const before = await atRest(product);
    await inParallel(STREAMS, 32, (number) =>
      listeners.open(product.url, payments[number]?.id as string),
    );
    await sleep(CALM_MS);
    const rest = await atRest(product);
    const kbEach = (figure: string): number =>
      (((rest[figure] ?? NaN) - (before[figure] ?? NaN)) * KB_PER_MB) / STREAMS;
    const paid = payments.slice(0, bench.flags.quick ? PAID.quick : PAID.full);
    const { told, faults } = await pay(product, chain, listeners, paid);
    return { before, after: { ...rest, kb_each: kbEach('held_mb'), used_kb_each: kbEach('used_mb') }, told, faults };
  } finally {
    listeners.close();
    await product.stop();
    await chain.stop();
  }
}

async function newPayments(product: Product): Promise<readonly Payable[]> {
  const payments: Payable[] = [];
  await inParallel(STREAMS, 16, async () => {
    const { json } = await product.ask('POST', '/api/v1/payments', { amount: 5 });
    payments.push(json as unknown as Payable);
  });
  return payments;
}

/** Memory of the process, and what the database is asked, while nothing happens. */
async function atRest({ pid, server }: Product): Promise<Figures> {
  const from = await transactionsOf(server.connection_string);
  await sleep(LOOK_MS);
  const until = await transactionsOf(server.connection_string);
  const used_mb = pssMb(pid);
  process.kill(pid, 'SIGUSR2');
  await sleep(COLLECTING_MS);
  return { used_mb, held_mb: pssMb(pid), queries_per_s: (until - from) / (LOOK_MS / 1000) };
}

async function transactionsOf(connectionString: string): Promise<number> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ count: string }>(
    `select sum(xact_commit + xact_rollback)::text as count from pg_stat_database`,
  );
  await client.end();
  return Number(rows[0]?.count);
}

/** Some of the payments in each block; from when the log has the confirmation to when its listener has heard. */
async function pay(
  product: Product,
  chain: FakeChain,
  listeners: Listeners,
  paid: readonly Payable[],
): Promise<{ told: Figures; faults: readonly string[] }> {
  const watch = await RowWatch.start(
    product.server.connection_string,
    `SELECT position, split_part(stream, '-', 2) AS id FROM log.events
     WHERE position > $1 AND type = 'PaymentConfirmed' ORDER BY position`,
  );
  try {
    await chain.pace(PACE);
    for (let at = 0; at < paid.length; at += PER_BLOCK) {
      await chain.include(await Promise.all(paid.slice(at, at + PER_BLOCK).map(transferFor)));
      await sleep(PACE.slot_ms);
    }
    const ended = () => listeners.all.filter(({ ended_ms }) => ended_ms !== null);
    for (let looks = 0; ended().length < paid.length && looks < 200; looks += 1) await sleep(100);
    const told = new Histogram();
    for (const { payment_id, ended_ms } of ended()) {
      const confirmed_ms = watch.seen.get(payment_id);
      if (confirmed_ms !== undefined) told.add(Math.max(0, (ended_ms as number) - confirmed_ms));
    }
    const faults =
      told.count < paid.length ? [`${told.count} of ${paid.length} listeners heard of the end`] : [];
    return { told: { told_p50: told.quantile(0.5), told_p99: told.quantile(0.99) }, faults };
  } finally {
    await watch.stop();
  }
}
