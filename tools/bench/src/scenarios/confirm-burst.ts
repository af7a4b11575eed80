import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { emptyTable } from '../baselines/tables';
import { FakeChain } from '../chain/fake-chain';
import { transferFor, type Payable } from '../chain/paying';
import { Child } from '../child';
import { CONFIRM_BURST } from '../goals';
import { Sink } from '../load/sink';
import { untilCalm } from '../machine/cpu-meter';
import { newestPosition } from '../product/log-rows';
import { inParallel, merchantWithWebhook, type Merchant } from '../product/merchants';
import { Product } from '../product/product';
import { runRounds } from '../rounds';
import { countUntil, type BurstRows } from './burst-count';
import { madeUp, type Due } from './due-payments';
import { entryOfRounds, type FiguresSide } from './figures-side';

const PAYMENTS = { full: 2_000, quick: 400 };
const BLOCKS = 4;
/** An endpoint has four attempts under way, so one of them alone would bound what is announced. */
const MERCHANTS = 16;
const PACE = { slot_ms: 400, strangers: 1_200 };
const BARE_POLL_MS = 50;
const PATIENCE_MS = 60_000;
/** A payment that is confirmed or announced twice has come twice by then. */
const AFTERWARDS_MS = 1_000;

/** The first burst compiles what the second one is measured by, as in a service that has run for a while. */
const BURSTS = 2;

const COUNT = 'SELECT count(*)::integer AS rows, count(DISTINCT stream)::integer AS payments';
const IN_THE_LOG = `${COUNT} FROM log.events WHERE position > $1 AND type = 'PaymentConfirmed'`;
const IN_THE_TABLE = `${COUNT} FROM bench_events WHERE position > $1`;

/** Payments that are all paid in four blocks: confirmed and announced per second. */
export const confirmBurst: Scenario = {
  name: 'confirm-burst',
  async run(bench) {
    const count = bench.flags.quick ? PAYMENTS.quick : PAYMENTS.full;
    const rounds = await runRounds<FiguresSide>(
      bench,
      this.name,
      { baseline: () => bareFollower(bench, count), candidate: () => product(bench, count) },
      ({ baseline, candidate }) =>
        [candidate, baseline]
          .map(({ figures }) => {
            const { stored_per_s, announced_per_s } = figures;
            return `${stored_per_s?.toFixed(0)} stored and ${announced_per_s?.toFixed(0)} announced a second`;
          })
          .join(' against '),
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        name: 'confirm-burst',
        params: { payments: count, blocks: BLOCKS, merchants: MERCHANTS, burst: BURSTS },
        baseline_name: 'bare-follower',
        compared: ['announced_per_s', 'stored_per_s'],
        goals: CONFIRM_BURST,
      }),
    ];
  },
};

async function product(bench: Bench, count: number): Promise<FiguresSide> {
  const [chain, sink] = await Promise.all([FakeChain.start(), Sink.start(MERCHANTS)]);
  const running = await Product.start({
    data_dir: bench.folder('burst'),
    env: { SOLANA_RPC_URL_TEST: chain.url },
    profile: bench.flags.profile,
  });
  try {
    const merchants = await Promise.all(
      sink.urls.map((url) => merchantWithWebhook(running, `${url}/hook`)),
    );
    const due: Due[] = [];
    await inParallel(BURSTS * count, 16, async (number) => {
      const { key } = merchants[number % MERCHANTS] as Merchant;
      const { json } = await running.ask('POST', '/api/v1/payments', { amount: 5 }, { key });
      due.push({ payment_id: json.id as string, transfer: await transferFor(json as Payable) });
    });
    await sink.until(due.length);
    await untilCalm(running.metered);
    const { connection_string } = running.server;
    await chain.pace(PACE);
    const from = await newestPosition(connection_string);
    return await lastBurst(due, count, async (part, paid) => {
      const after = await newestPosition(connection_string);
      // Each payment has three webhooks: created, confirmed, settled.
      const told = due.length + 2 * paid;
      const rows = { connection_string, query: IN_THE_LOG, after };
      return burst({ chain, sink, due: part, paid, told, from }, rows);
    });
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
    const due = Array.from({ length: BURSTS * count }, (_, number) => madeUp(number));
    await child.ask({
      rpc_url: chain.url,
      sink_url: sink.urls[0],
      connection_string,
      references: due.map(({ payment_id, reference }) => ({ payment_id, reference })),
      poll_ms: BARE_POLL_MS,
    });
    await chain.pace(PACE);
    return await lastBurst(due, count, (part, paid) => {
      const after = String(paid - count);
      const rows = { connection_string, query: IN_THE_TABLE, after };
      return burst({ chain, sink, due: part, paid, told: paid, from: '0' }, rows);
    });
  } finally {
    await child.stop();
    await Promise.all([chain.stop(), sink.stop()]);
  }
}

/**
 * One burst of `count` after the other: the figures of the last, and what was wrong in any. `paid`: in all by the end
 * of a burst.
 */
async function lastBurst(
  due: readonly Due[],
  count: number,
  run: (part: readonly Due[], paid: number) => Promise<FiguresSide>,
): Promise<FiguresSide> {
  const done: FiguresSide[] = [];
  for (let bursts = 1; bursts <= BURSTS; bursts += 1) {
    done.push(await run(due.slice((bursts - 1) * count, bursts * count), bursts * count));
  }
  const { figures } = done.at(-1) as FiguresSide;
  return { figures, faults: done.flatMap(({ faults }) => faults) };
}

interface Burst {
  readonly chain: FakeChain;
  readonly sink: Sink;
  readonly due: readonly Due[];
  /** Payments of this burst and of those before it. */
  readonly paid: number;
  /** Webhooks that the sink has answered once all is done. */
  readonly told: number;
  /** Position before the first burst. */
  readonly from: string;
}

async function burst(
  { chain, sink, due, paid, told, from }: Burst,
  in_store: BurstRows,
): Promise<FiguresSide> {
  await sleep(PACE.slot_ms * 5);
  const per_block = Math.ceil(due.length / BLOCKS);
  const transfers = due.map(({ transfer }) => transfer);
  await chain.script(
    Array.from({ length: BLOCKS }, (_, block) => {
      return transfers.slice(block * per_block, (block + 1) * per_block);
    }),
  );
  const stored = await countUntil(in_store, due.length, PATIENCE_MS);
  await sink.until(told, PATIENCE_MS).catch(() => undefined);
  await sleep(AFTERWARDS_MS);
  const { rows, payments } = await countUntil({ ...in_store, after: from }, 0, 0);
  const { visible } = await chain.show();
  const began = Math.min(...transfers.map(({ signature }) => visible[signature] ?? Infinity));
  const announced = confirmedIn((await sink.show()).arrivals);
  const per_second = (last_at_ms: number) => (due.length * 1000) / (last_at_ms - began);
  return {
    figures: {
      stored_per_s: per_second(stored.last_at_ms),
      announced_per_s: per_second(announced.last_at_ms),
    },
    faults: [
      ...notOnce(paid, { rows, payments }, 'confirmed'),
      ...notOnce(paid, announced, 'announced'),
    ],
  };
}

function confirmedIn(arrivals: Awaited<ReturnType<Sink['show']>>['arrivals']) {
  const confirmed = arrivals.filter(({ event }) => event === 'PaymentConfirmed');
  return {
    rows: confirmed.length,
    payments: new Set(confirmed.map(({ payment_id }) => payment_id)).size,
    last_at_ms: Math.max(...confirmed.map(({ at_ms }) => at_ms)),
  };
}

function notOnce(
  count: number,
  { rows, payments }: { readonly rows: number; readonly payments: number },
  what: string,
): string[] {
  return [
    ...(payments === count ? [] : [`${payments} of ${count} payments were ${what}`]),
    ...(rows === payments ? [] : [`${rows - payments} payments were ${what} twice`]),
  ];
}
