import { randomUUID } from 'node:crypto';
import { seededRandom } from '@tender/adapter-memory';
import { postgresEventStore, postgresReadModels } from '@tender/adapter-postgres';
import {
  aggregate,
  due,
  followProjections,
  type Log,
  type ProjectionFollowers,
  type StoredEvent,
} from '@tender/eventing';
import { accept, isoTime, timeOf, type Decider, type Decision } from '@tender/kernel';
import { patient, startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import { DueTimer } from './due-timer.worker';

const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
const DAY_MS = 24 * 60 * 60 * 1000;

interface Lent {
  readonly type: 'Lent';
  readonly data: {
    readonly merchant_id: string;
    readonly due_at: string;
    readonly stubborn: boolean;
  };
}
interface Reminded {
  readonly type: 'Reminded';
  readonly data: { readonly for: string; readonly next_at: string | null };
}
type Book =
  | { readonly status: 'unknown' }
  | (Lent['data'] & { readonly status: 'lent'; readonly next_at: string | null });
interface Lend {
  readonly type: 'Lend';
  readonly book: Lent['data'];
}
interface Remind {
  readonly type: 'Remind';
  readonly due_at: string;
}

/** Two reminders, a day apart. */
const rules = {
  initial: { status: 'unknown' },
  evolve(state: Book, event: Lent | Reminded): Book {
    if (event.type === 'Lent') {
      return { ...event.data, status: 'lent', next_at: event.data.due_at };
    }
    return state.status === 'unknown' ? state : { ...state, next_at: event.data.next_at };
  },
  decide: {
    Lend: ({ book }: Lend): Decision<Lent, never> => accept({ type: 'Lent', data: book }),
    Remind({ due_at }: Remind, state: Book): Decision<Reminded, never> {
      if (state.status === 'unknown' || state.stubborn) return accept();
      const again = due_at === state.due_at;
      const next_at = again ? isoTime(timeOf(due_at) + DAY_MS) : null;
      return accept({ type: 'Reminded', data: { for: due_at, next_at } });
    },
  },
} satisfies Decider<Book, Lent | Reminded>;

const book = aggregate({
  noun: 'book',
  modes: ['test'],
  decider: rules,
  begins: ['Lend'],
  view: {
    name: 'library.books@1',
    table: 'library.books',
    merchantOf: ({ merchant_id }) => merchant_id,
    columns: { next_at: ['text', ({ next_at }) => next_at] },
  },
});
const reminders = due({
  name: 'library.remind',
  of: book,
  at: 'next_at',
  command: (_, due_at) => ({ type: 'Remind', due_at }) as const,
});

class CreateBooks1700000000000 {
  async up(runner: { query(text: string): Promise<unknown> }): Promise<void> {
    await runner.query(`create table library.books_g1 (id text primary key, state json not null,
      position text not null, merchant_id text not null, mode text not null, next_at text collate "C")`);
    await runner.query('create index books_due_g1 on library.books_g1 (next_at)');
    await runner.query('create view library.books as select * from library.books_g1');
    await runner.query(`insert into library.generations values ('books', 1, 'live')`);
  }
  async down(): Promise<void> {
    return;
  }
}

let server: TestPostgres;
let offset_ms: number;
let complaints: string[];
let runtime: ReturnType<typeof portsOf> extends Promise<infer Ports> ? Ports : never;
let projections: ProjectionFollowers;
const workers: DueTimer[] = [];

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

async function lend(id: string, due_in_ms: number, stubborn = false): Promise<void> {
  const lent = { merchant_id: 'm1', due_at: isoTime(START_MS + due_in_ms), stubborn };
  const origin = { command_id: `lend ${id}`, body_hash: null, merchant_id: 'm1', actor: 'public' };
  await book.handle(
    runtime,
    'test',
    id,
    { type: 'Lend', book: lent },
    { ...origin, correlation_id: randomUUID(), causation_id: null },
  );
}

async function startTimer(): Promise<DueTimer> {
  const worker = new DueTimer(runtime, reminders);
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

/** As a test clock does: stops at each due time, and goes on when all is done. */
async function advanceTo(target_ms: number, worker: DueTimer): Promise<void> {
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
