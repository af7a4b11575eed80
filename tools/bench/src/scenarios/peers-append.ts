import path from 'node:path';
import type { Bench, Scenario } from '../bench';
import { Child } from '../child';
import { freshDatabase } from '../fresh-database';
import type { Entry } from '../report/entry';
import { runRounds } from '../rounds';
import { appendAll, missing, POOL_MAX, rateOf, timesOf } from './append';
import { entryOfRounds, type FiguresSide } from './figures-side';
import { SAMPLE_DATA, SAMPLE_METADATA } from './sample-event';

/** The peer lets one append into a category at a time, until it is committed. */
const SHAPES = [
  { writers: 16, categories: 'one' },
  { writers: 64, categories: 'one' },
  { writers: 64, categories: 'one each' },
] as const;
type Shape = (typeof SHAPES)[number];

/** The event store, with an answer for each caller, against message-db, which is functions in Postgres. */
export const peersAppend: Scenario = {
  name: 'peers-append',
  async run(bench) {
    const entries: Entry[] = [];
    for (const shape of SHAPES) {
      const { writers, categories } = shape;
      const rounds = await runRounds<FiguresSide>(
        bench,
        `${this.name} by ${writers}, categories: ${categories}`,
        { baseline: () => messageDb(bench, shape), candidate: () => appendAll(bench, writers) },
        ({ baseline, candidate }) => {
          const [ours, theirs] = [rateOf(candidate), rateOf(baseline)];
          return `${ours.toFixed(0)}/${theirs.toFixed(0)} = ${(ours / theirs).toFixed(2)}`;
        },
        bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
      );
      entries.push(
        entryOfRounds(bench, rounds, {
          name: this.name,
          params: { writers, categories, sec: bench.flags.timed_ms / 1000 },
          baseline_name: 'message-db',
          compared: ['per_s'],
          goals: [],
        }),
      );
    }
    return entries;
  },
};

interface Appended {
  readonly accepted: number;
  readonly stored: number;
  readonly per_s: number;
  readonly faults: readonly string[];
}

async function messageDb(bench: Bench, { writers, categories }: Shape): Promise<FiguresSide> {
  const database = await freshDatabase(bench, 'message_db');
  const child = Child.start(path.join(__dirname, '../peers/message-db-loop.js'));
  try {
    const { accepted, stored, per_s, faults } = await child.ask<Appended>({
      connection_string: database.connection_string,
      pool: Math.min(writers, POOL_MAX),
      writers,
      category_each: categories === 'one each',
      data: JSON.stringify(SAMPLE_DATA),
      metadata: JSON.stringify(SAMPLE_METADATA),
      ...timesOf(bench.flags),
    });
    return { figures: { per_s }, faults: [...faults, ...missing(accepted, stored)] };
  } finally {
    await child.stop();
    await database.drop();
  }
}
