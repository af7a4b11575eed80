import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Scenario } from '../bench';
import { freshDatabase } from '../fresh-database';
import { SUBSCRIPTIONS_MEMORY } from '../goals';
import { pssMb } from '../machine/processes';
import { countSubscriptions } from '../product/bulk-subscriptions';
import { Product } from '../product/product';
import { subscribedProduct } from '../product/subscribed-product';
import { runRounds } from '../rounds';
import { entryOfRounds, type FiguresSide } from './figures-side';

const SUBSCRIPTIONS = { full: 100_000, quick: 10_000 };
const QUIET_MS = 10_000;

/** The program while many subscriptions wait for the end of their trial, against the same program with one. */
export const subscriptionsMemory: Scenario = {
  name: 'subscriptions-memory',
  async run(bench) {
    const size = bench.flags.quick ? 'quick' : 'full';
    const count = bench.flags.subscriptions ?? SUBSCRIPTIONS[size];
    const rounds = await runRounds<FiguresSide>(
      bench,
      'subscriptions-memory',
      { baseline: () => waiting(bench, 1), candidate: () => waiting(bench, count) },
      ({ baseline, candidate }) => {
        const [ours, theirs] = [candidate, baseline].map(({ figures }) => figures['node_mb'] ?? NaN);
        return `${ours?.toFixed(0)} MB against ${theirs?.toFixed(0)} MB`;
      },
      bench.flags.quick ? 1 : Math.min(3, bench.flags.rounds),
    );
    return [
      entryOfRounds(bench, rounds, {
        ...{ name: 'subscriptions-memory', params: { subscriptions: count } },
        ...{ baseline_name: 'one subscription', compared: ['node_mb'], goals: SUBSCRIPTIONS_MEMORY },
      }),
    ];
  },
};

/** Of a program that was started anew: what it needed once to work off so many at a time does not count. */
async function waiting(bench: Bench, count: number): Promise<FiguresSide> {
  const database = await freshDatabase(bench, 'waiting');
  try {
    const subscribed = await subscribedProduct(bench, database, { name: 'waiting', count, apart_s: 1 });
    const { data_dir } = subscribed;
    await subscribed.stop();
    const { connection_string } = database;
    const product = await Product.start({ data_dir, env: { DATABASE_URL: connection_string } });
    try {
      await sleep(QUIET_MS);
      const node_mb = pssMb(product.pid);
      const there = await countSubscriptions(connection_string);
      return { figures: { node_mb }, faults: there === count ? [] : [`${there} of ${count} wait`] };
    } finally {
      await product.stop();
    }
  } finally {
    await database.drop();
  }
}
