import { setTimeout as sleep } from 'node:timers/promises';
import {
  beginGeneration,
  indexGeneration,
  postgresEventStore,
  postgresReadModels,
  postgresReplayLog,
  promoteGeneration,
  type PostgresReadModels,
} from '@tender/adapter-postgres';
import { followProjections, loadGeneration, type Log } from '@tender/eventing';
import { answerOrders } from '../answer-orders';
import { CreateOrders1700000000000, ordersView } from './orders-view';

interface Order {
  readonly connection_string: string;
  /** `prepare` makes log and tables; `follow` catches the live table up; `rebuild` puts a new one in its place. */
  readonly do: 'prepare' | 'follow' | 'rebuild';
  readonly events: number;
}

const log: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const clock = { now: () => Date.now(), wall: () => Date.now() };
const SCHEMA = 'bench';
const owned = { schema: SCHEMA, projection: ordersView };
const PROGRAM = 'b0';
const LOOK_MS = 20;

// A projection as the services and `tender ops replay` have it, alone in its process.
answerOrders(work);
// With its profile, where one is taken.
process.on('SIGTERM', () => process.exit(0));

async function work({ connection_string: connectionString, do: what, events }: Order) {
  const migrations = [CreateOrders1700000000000];
  const readModels = postgresReadModels({ connectionString, schemas: [SCHEMA], migrations, log });
  await readModels.start();
  const stopWatch = watchMemory();
  try {
    const measure = { prepare, follow, rebuild }[what];
    const seconds = await measure(connectionString, readModels);
    return { per_s: events / seconds, ...stopWatch() };
  } finally {
    stopWatch();
    await readModels.close();
  }
}

async function prepare(connectionString: string): Promise<number> {
  const store = postgresEventStore({ connectionString, clock, log });
  await store.start();
  await store.close();
  return 1;
}

/** Live catch-up, from its checkpoint to the end of the log. */
async function follow(connectionString: string, readModels: PostgresReadModels): Promise<number> {
  const eventStore = postgresEventStore({ connectionString, clock, log });
  await eventStore.start();
  const began = performance.now();
  const projections = [ordersView];
  const followers = followProjections({ eventStore, readModels, schema: SCHEMA, projections, log });
  await followers.start();
  await followers.idle();
  const seconds = (performance.now() - began) / 1000;
  await followers.stop();
  await eventStore.close();
  return seconds;
}

/** All that `tender ops replay` does: load, index, turn the view. */
async function rebuild(connectionString: string, readModels: PostgresReadModels): Promise<number> {
  const replayLog = postgresReplayLog({ connectionString, log });
  const began = performance.now();
  const { generation } = await beginGeneration(readModels, owned, PROGRAM);
  const all = { mode: 'test', until: null } as const;
  const options = { log: replayLog, readModels, ...owned, generation, ...all };
  await loadGeneration(options);
  await indexGeneration(readModels, owned, generation);
  await loadGeneration(options);
  await promoteGeneration(readModels, replayLog, owned, generation);
  const seconds = (performance.now() - began) / 1000;
  await replayLog.close();
  return seconds;
}

/** Greatest memory of the first fifth of the looks, and of all of them. */
function watchMemory(): () => { readonly rss_early_mb: number; readonly rss_mb: number } {
  const looks: number[] = [];
  let over = false;
  void (async () => {
    for (; !over; await sleep(LOOK_MS)) looks.push(process.memoryUsage.rss() / 2 ** 20);
  })();
  return () => {
    over = true;
    const early = looks.slice(0, Math.ceil(looks.length / 5));
    return { rss_early_mb: Math.max(...early), rss_mb: Math.max(...looks) };
  };
}
