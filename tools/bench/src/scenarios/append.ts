import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { countRows, emptyTable } from '../baselines/tables';
import { Child } from '../child';
import { APPEND } from '../goals';
import { freshDatabase } from '../fresh-database';
import { withClient } from '../machine/postgres';
import type { Entry } from '../report/entry';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { SAMPLE_DATA, SAMPLE_METADATA } from './sample-event';

const WRITERS = [16, 64] as const;
/** More connections than that make the baseline slower. */
export const POOL_MAX = 32;

/** The event store, with an answer for each caller, against one INSERT per event (goal 5). */
export const append: Scenario = {
  name: 'append',
  async run(bench) {
    const entries: Entry[] = [];
    for (const writers of WRITERS) {
      const rounds = await runRounds<FiguresSide>(
        bench,
        `append by ${writers}`,
        { baseline: () => insert(bench, writers), candidate: () => appendAll(bench, writers) },
        ({ baseline, candidate }) => {
          const [ours, theirs] = [rateOf(candidate), rateOf(baseline)];
          return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
        },
      );
      entries.push(
        entryOfRounds(bench, rounds, {
          name: 'append',
          params: { writers, sec: bench.flags.timed_ms / 1000 },
          baseline_name: 'insert',
          compared: ['per_s'],
          goals: APPEND[writers] ?? [],
        }),
      );
    }
    return entries;
  },
};

export const rateOf = ({ figures }: FiguresSide): number => figures['per_s'] ?? NaN;

export const timesOf = ({ warmup_ms, timed_ms }: Bench['flags']) => ({ warmup_ms, timed_ms });

async function insert(bench: Bench, writers: number): Promise<FiguresSide> {
  const { connection_string } = await bench.server();
  await emptyTable(connection_string);
  const child = Child.start(path.join(__dirname, '../baselines/insert-loop.js'));
  try {
    const data = JSON.stringify({ ...SAMPLE_DATA, event: SAMPLE_METADATA });
    const pool = Math.min(writers, POOL_MAX);
    const order = { connection_string, pool, writers, data, ...timesOf(bench.flags) };
    const { accepted, per_s } = await child.ask<{ accepted: number; per_s: number }>(order);
    const faults = missing(accepted, await countRows(connection_string));
    return { figures: { per_s }, faults };
  } finally {
    await child.stop();
  }
}

interface Appended {
  readonly accepted: number;
  readonly refused: number;
  readonly per_s: number;
  readonly faults: string[];
}

export async function appendAll(bench: Bench, writers: number): Promise<FiguresSide> {
  const database = await freshDatabase(bench, 'append');
  const { connection_string } = database;
  const { profile } = bench.flags;
  const child = Child.start(path.join(__dirname, '../candidates/append-loop.js'), {
    execArgv: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
  });
  try {
    const order = { connection_string, writers, data: SAMPLE_DATA, metadata: SAMPLE_METADATA };
    const answer = await child.ask<Appended>({ ...order, ...timesOf(bench.flags) });
    const stored = await withClient(connection_string, (client) =>
      client.query<{ count: string }>(
        `SELECT count(*) FROM log.events WHERE category = 'bench.test'`,
      ),
    );
    const faults = [...answer.faults, ...missing(answer.accepted, Number(stored.rows[0]?.count))];
    if (answer.refused > 0) faults.push(`${answer.refused} appends to new streams were refused`);
    return { figures: { per_s: answer.per_s }, faults };
  } finally {
    await child.stop();
    await database.drop();
  }
}

export const missing = (accepted: number, stored: number): string[] =>
  accepted === stored ? [] : [`${accepted} appends were accepted, ${stored} rows are in the log`];
