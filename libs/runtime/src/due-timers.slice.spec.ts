import { randomUUID } from 'node:crypto';
import { seededRandom } from '@tender/adapter-memory';
import { postgresEventStore, postgresReadModels } from '@tender/adapter-postgres';
import { patient, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import {
  followProjections,
  Unavailable,
  type Log,
  type ProjectionFollowers,
  type StoredEvent,
} from '@tender/eventing';
import { isoTime, timeOf } from '@tender/kernel';
import { DueTimers } from './due-timers.worker';
import { book, CreateBooks1700000000000, reminders, type Lent, type Reminded } from './testing/library';

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;

let server: TestPostgres;
let offset_ms: number;
let complaints: string[];
let runtime: ReturnType<typeof portsOf> extends Promise<infer Ports> ? Ports : never;
let projections: ProjectionFollowers;
const workers: DueTimers[] = [];

const wall = (): number => START_MS;
const clock = { now: () => wall() + offset_ms, wall };

async function portsOf(connectionString: string) {
  const log: Log = {
    ...{ info: () => undefined, warn: () => undefined },
    error: (_, message) => void complaints.push(String(message)),
  };
  const eventStore = postgresEventStore({ connectionString, clock, log, ...patient });
  await eventStore.start();
  const schemas = ['library'];
  const migrations = [CreateBooks1700000000000];
  const readModels = postgresReadModels({ connectionString, schemas, migrations, log });
  await readModels.start();
  return { eventStore, readModels, clock, random: seededRandom(), log };
}

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  [offset_ms, complaints] = [0, []];
  runtime = await portsOf(await server.database());
  projections = followProjections({ ...runtime, schema: 'library', projections: [book.view] });
  await projections.start();
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await projections.stop();
  await runtime.eventStore.close();
  await runtime.readModels.close();
});

const by = (command_id: string) => ({
  ...{ command_id, body_hash: null, merchant_id: 'm1', actor: 'public' },
  ...{ correlation_id: randomUUID(), causation_id: null },
});

async function lend(id: string, due_in_ms: number, stubborn = false): Promise<void> {
  const lent = { merchant_id: 'm1', due_at: isoTime(START_MS + due_in_ms), stubborn };
  await book.handle(runtime, 'test', id, { type: 'Lend', book: lent }, by(`lend ${id}`));
}

async function startTimer(ports: Partial<typeof runtime> = {}): Promise<DueTimers> {
  const worker = new DueTimers({ ...runtime, ...ports }, [reminders]);
  workers.push(worker);
  await worker.start();
  return worker;
}

/** When which reminder was given, in milliseconds after the start. */
async function reminded(id: string): Promise<readonly (readonly [due: number, at: number])[]> {
  const events = await runtime.eventStore.load(book.stream('test', id));
  return (events as readonly StoredEvent<Lent | Reminded>[]).flatMap(({ data, metadata }) =>
    'for' in data
      ? [[timeOf(data.for) - START_MS, timeOf(metadata.occurred_at) - START_MS] as const]
      : [],
  );
}

/** Within the time that ends a test. */
async function eventuallyReminded(id: string): Promise<void> {
  while ((await reminded(id)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** As a test clock does: stops at each due time, and goes on when all is done. */
async function advanceTo(target_ms: number, worker: DueTimers): Promise<void> {
  for (;;) {
    await projections.idle();
    await worker.idle();
    const due_ms = await worker.nextDue();
    if (due_ms === null || due_ms - START_MS > target_ms) break;
    offset_ms = due_ms - START_MS;
  }
  offset_ms = target_ms;
}

test('each falls due at its own time, also what another made due, and then no more', async () => {
  await lend('a', 5_000);
  await lend('b', 60_000);
  const worker = await startTimer();
  await advanceTo(3 * DAY_MS, worker);
  expect(await reminded('a')).toEqual([
    [5_000, 5_000],
    [5_000 + DAY_MS, 5_000 + DAY_MS],
  ]);
  expect(await reminded('b')).toEqual([
    [60_000, 60_000],
    [60_000 + DAY_MS, 60_000 + DAY_MS],
  ]);
  expect(await worker.nextDue()).toBeNull();
  expect(complaints).toEqual([]);
});

test('what fell due while no process ran is done late, in order', async () => {
  await lend('a', 5_000);
  offset_ms = 10 * DAY_MS;
  await projections.idle();
  const worker = await startTimer();
  await worker.idle();
  expect(await reminded('a')).toEqual([
    [5_000, 10 * DAY_MS],
    [5_000 + DAY_MS, 10 * DAY_MS],
  ]);
});

test('of several processes one does each', async () => {
  const ids = Array.from({ length: 250 }, (_, at) => `b${at}`);
  await Promise.all(ids.map((id) => lend(id, 1_000)));
  await projections.idle();
  offset_ms = 2_000;
  const timers = await Promise.all([startTimer(), startTimer(), startTimer()]);
  await Promise.all(timers.map((timer) => timer.idle()));
  const given = await Promise.all(ids.map(reminded));
  expect(given.every((times) => times.length === 1)).toBe(true);
  expect(complaints).toEqual([]);
});

test('what a process did before it died, and its row does not show yet, is not done again', async () => {
  await lend('a', 1_000);
  await projections.idle();
  await projections.stop();
  offset_ms = 1_000;
  const [row] = await runtime.readModels.query<{ id: string; state: unknown; due_at: string }>(
    'select id, state, next_at as due_at from library.books',
  );
  await reminders.run(runtime, { ...row, mode: 'test' } as never);
  const worker = await startTimer();
  await projections.start();
  await worker.idle();
  expect(await reminded('a')).toEqual([[1_000, 1_000]]);
});

test('a row that another process is moving is waited for, though that end of the log is not known here yet', async () => {
  await lend('a', 1_000);
  await projections.idle();
  await projections.stop();
  offset_ms = 1_000;
  const other = await startTimer();
  await eventuallyReminded('a');
  await other.stop();
  const shows = Promise.withResolvers<void>();
  const { eventStore, readModels } = runtime;
  const waitFor: typeof readModels.waitFor = (...asked) => {
    shows.resolve();
    return readModels.waitFor(...asked);
  };
  const worker = await startTimer({
    eventStore: { ...eventStore, newest: async () => '1' },
    readModels: { ...readModels, waitFor },
  });
  await shows.promise;
  await projections.start();
  await worker.idle();
  expect(await reminded('a')).toEqual([[1_000, 1_000]]);
  expect(complaints).toEqual([]);
});

test('what was put off by now is not done, though its row does not show it yet', async () => {
  await lend('a', 1_000);
  await projections.idle();
  await projections.stop();
  offset_ms = 500;
  const next_at = isoTime(START_MS + DAY_MS);
  await book.handle(runtime, 'test', 'a', { type: 'Postpone', next_at }, by('postpone'));
  offset_ms = 2_000;
  const worker = await startTimer();
  await projections.start();
  await worker.idle();
  expect(await reminded('a')).toEqual([[DAY_MS, 500]]);
  expect(await worker.nextDue()).toBe(START_MS + DAY_MS);
  expect(complaints).toEqual([]);
});

test('what the log does not take stays due, and is done when the log is back', async () => {
  await lend('a', 1_000);
  await projections.idle();
  offset_ms = 1_000;
  let failures = 3;
  const { eventStore } = runtime;
  const append: typeof eventStore.append = async (...order) => {
    failures -= 1;
    if (failures >= 0) throw new Unavailable('the log', { reason: 'for a moment' });
    return eventStore.append(...order);
  };
  const worker = await startTimer({ eventStore: { ...eventStore, append } });
  await worker.idle();
  expect(await reminded('a')).toEqual([[1_000, 1_000]]);
  expect(complaints).toEqual([]);
});

test('it stops at once, though the rows do not show what it did', async () => {
  await lend('a', 1_000);
  await projections.idle();
  offset_ms = 1_000;
  const waits = Promise.withResolvers<void>();
  const { readModels } = runtime;
  const waitFor: typeof readModels.waitFor = () => {
    waits.resolve();
    return new Promise(() => undefined);
  };
  const worker = await startTimer({ readModels: { ...readModels, waitFor } });
  await waits.promise;
  await worker.stop();
  expect(await reminded('a')).toEqual([[1_000, 1_000]]);
});

test('a row that its command does not move is logged once, and holds no other row up', async () => {
  await lend('a', 1_000, true);
  await lend('b', 2_000);
  await projections.idle();
  offset_ms = 3_000;
  const worker = await startTimer();
  await worker.idle();
  expect(await reminded('b')).toHaveLength(1);
  expect(complaints).toEqual(['what was due did not move its row']);
  expect(await worker.nextDue()).toBe(START_MS + 2_000 + DAY_MS);
});

test('at rest one question is asked for all timers, and none by each', async () => {
  const asked = { for_all: 0, for_one: 0 };
  const thrice = Promise.withResolvers<void>();
  const { readModels } = runtime;
  const query: typeof readModels.query = (text, values) => {
    const is_for_all = text.endsWith('as dues');
    asked[is_for_all ? 'for_all' : 'for_one'] += 1;
    if (asked.for_all === 3) thrice.resolve();
    return readModels.query(text, values);
  };
  const ports = { ...runtime, readModels: { ...readModels, query } };
  const worker = new DueTimers(ports, [reminders, reminders]);
  workers.push(worker);
  await worker.start();
  await thrice.promise;
  expect(asked.for_one).toBe(2);
});

test('what falls due while all rest is done without being asked for', async () => {
  await startTimer();
  await lend('a', -1_000);
  await eventuallyReminded('a');
  expect(await reminded('a')).toHaveLength(1);
});
