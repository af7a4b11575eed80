import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { freshDatabase, type FreshDatabase } from '../fresh-database';
import { CATCHUP, REBUILD } from '../goals';
import { fillOrderLog } from '../fill-order-log';
import { withClient } from '../machine/postgres';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';

const EVENTS = { full: 300_000, quick: 90_000 };
const CATEGORY = 'order.test';

interface Worked {
  readonly per_s: number;
  readonly rss_mb: number;
  readonly rss_early_mb: number;
}

/** A table beside the live one, loaded, indexed and put in its place (goal 7), against a bare scan of the log. */
export const rebuild: Scenario = {
  name: 'rebuild',
  run: (bench) =>
    overAFullLog(bench, 'rebuild', async (database, events) => {
      const figures = await viewWork(bench, database, 'rebuild', events);
      const { per_s, rss_mb, rss_early_mb } = figures;
      return { per_s, rss_mb, rss_growth: rss_mb / rss_early_mb };
    }),
};

/** The live table, behind by the whole log, catches up (goal 7). */
export const catchup: Scenario = {
  name: 'catchup',
  run: (bench) =>
    overAFullLog(bench, 'catchup', async (database, events) => {
      await withClient(database.connection_string, async (client) => {
        await client.query('truncate bench.orders_g1');
        await client.query('delete from bench.checkpoints');
      });
      const { per_s, rss_mb } = await viewWork(bench, database, 'follow', events);
      return { per_s, rss_mb };
    }),
};

async function overAFullLog(
  bench: Bench,
  name: 'rebuild' | 'catchup',
  measure: (database: FreshDatabase, events: number) => Promise<Readonly<Record<string, number>>>,
) {
  const events = bench.flags.events ?? EVENTS[bench.flags.quick ? 'quick' : 'full'];
  const database = await freshDatabase(bench, name);
  try {
    await viewWork(bench, database, 'prepare', 0);
    await fillOrderLog(database.connection_string, events / 3);
    const rounds = await runRounds<FiguresSide>(
      bench,
      name,
      {
        baseline: () => scan(database, events),
        async candidate() {
          const figures = await measure(database, events);
          return { figures, faults: await wrongRows(database, events) };
        },
      },
      ({ baseline, candidate }) =>
        [candidate, baseline].map(({ figures }) => figures['per_s']?.toFixed(0)).join('/') +
        ` per s, ${candidate.figures['rss_mb']?.toFixed(0)} MB`,
      Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        name,
        params: { events },
        baseline_name: 'log scan',
        compared: ['per_s'],
        goals: name === 'rebuild' ? REBUILD : CATCHUP,
      }),
    ];
  } finally {
    await database.drop();
  }
}

async function scan({ connection_string }: FreshDatabase, expected: number): Promise<FiguresSide> {
  const child = Child.start(path.join(__dirname, '../baselines/log-scan.js'));
  try {
    const order = { connection_string, category: CATEGORY };
    const { per_s, events } = await child.ask<{ per_s: number; events: number }>(order);
    const faults = events === expected ? [] : [`${events} of ${expected} events were scanned`];
    return { figures: { per_s }, faults };
  } finally {
    await child.stop();
  }
}

async function viewWork(
  { flags }: Bench,
  { connection_string }: FreshDatabase,
  what: 'prepare' | 'follow' | 'rebuild',
  events: number,
): Promise<Worked> {
  const child = Child.start(path.join(__dirname, '../candidates/view-loop.js'), {
    execArgv: flags.profile ? ['--cpu-prof', `--cpu-prof-dir=${flags.profile}`] : [],
  });
  try {
    return await child.ask<Worked>({ connection_string, do: what, events });
  } finally {
    await child.stop();
  }
}

/** One row per stream, and each with what its last event says. */
async function wrongRows({ connection_string }: FreshDatabase, events: number): Promise<string[]> {
  const rows = await withClient(connection_string, async (client) => {
    const answer = await client.query<{ rows: number; settled: number }>(
      `select count(*)::int as rows,
        count(*) filter (where state->>'status' = 'OrderSettled')::int as settled from bench.orders`,
    );
    return answer.rows[0] as { rows: number; settled: number };
  });
  const expected = events / 3;
  if (rows.rows === expected && rows.settled === expected) return [];
  return [`${rows.rows} rows, ${rows.settled} of them settled, in place of ${expected}`];
}
