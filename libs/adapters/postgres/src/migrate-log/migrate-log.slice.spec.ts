import {
  foldedView,
  followProjections,
  hashOf,
  readFolded,
  Unavailable,
  type EventStore,
  type NewEvent,
  type PublicEvent,
  type StreamName,
} from '@tender/eventing';
import { conformanceContexts, noteOf, sampleEvent } from '@tender/eventing/testing';
import { embeddedBus, LogIsTaken, migrateLog, postgresEventStore, postgresReadModels } from '../index';
import { patient, silentLog, systemClock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';
import { heldPostgresLog } from './held-log';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

type Noted = { readonly type: 'Noted'; readonly data: { readonly note: string } };
const folding = {
  table: 'notes.note_list',
  decider: {
    initial: [],
    evolve: (notes: readonly string[], { data }: Noted) => [...notes, data.note],
  },
};
const noteList = foldedView<readonly string[], Noted>({
  ...folding,
  ...{ name: 'notes.note-list@1', noun: 'note', modes: ['test', 'live'] },
  columns: {},
});
const SCHEMAS = ['notes', 'readers'];
const TABLES = [
  'create table notes.note_list_g1 (id text primary key, state json not null, position text not null)',
  'create view notes.note_list as select * from notes.note_list_g1',
  "insert into notes.generations (view, generation, state) values ('note_list', 1, 'live')",
  'create table readers.seen (place bigint generated always as identity, consumer text, key text, note text)',
];

async function openTables(connectionString: string) {
  const readModels = postgresReadModels({
    ...{ connectionString, schemas: SCHEMAS, migrations: [], log: silentLog, pool_max: 6 },
  });
  await readModels.start();
  return readModels;
}

async function openLog(connectionString: string) {
  const ports = { clock: systemClock, log: silentLog };
  const store = postgresEventStore({ connectionString, ...ports, ...patient });
  await store.start();
  return store;
}

/** A program: a projection, and consumers that write down in their own transaction what they hear. */
async function program(log_url: string, tables_url: string, consumers: readonly string[], poison = '') {
  const readModels = await openTables(tables_url);
  const store = await openLog(log_url);
  const projections = followProjections({
    ...{ eventStore: store, readModels, schema: 'notes', projections: [noteList] },
    log: silentLog,
  });
  await projections.start();
  const bus = embeddedBus({
    ...{ eventStore: store, readModels, contexts: conformanceContexts, clock: systemClock },
    log: silentLog,
    // The old program shall not give the message up before it ends.
    retry_delay_ms: () => (poison ? 3_600_000 : 20),
  });
  const running = await Promise.all(
    consumers.map((consumer) =>
      bus.consume({
        consumer,
        types: ['notes.noted.v1'],
        async handler(batch: readonly PublicEvent[], tx) {
          for (const message of batch) {
            if (noteOf(message) === poison) throw new Error('poison');
            const values = [consumer, message.key, noteOf(message)];
            await tx.query('insert into readers.seen (consumer, key, note) values ($1, $2, $3)', values);
          }
        },
      }),
    ),
  );
  return {
    readModels,
    store,
    idle: () => Promise.all([projections.idle(), ...running.map((consumer) => consumer.idle())]),
    async stop() {
      await bus.close();
      await projections.stop();
      await store.close();
      await readModels.close();
    },
  };
}

/** Appends, chained by hashes as a command handler does it. */
async function note(store: EventStore, stream: StreamName, text: string) {
  const history = await store.load(stream);
  const last = history.at(-1);
  const event = sampleEvent(stream, { note: text, 'size\\"': '1' });
  const metadata = { ...event.metadata, prev_hash: last ? hashOf(last) : null };
  const chained: NewEvent = { ...event, metadata };
  const appended = await store.append(stream, [chained], last ? last.revision : 'no_stream');
  if (!appended.ok) throw new Error('somebody else wrote');
  return appended.position;
}

const STREAMS: readonly StreamName[] = ['note.test-a', 'note.live-b', 'note.test-c'];

async function written(store: EventStore, from: number, to: number) {
  for (let at = from; at < to; at += 1) {
    await note(store, STREAMS[at % STREAMS.length] as StreamName, `n${at}`);
    // Between the notes lies what nobody here follows.
    if (at % 4 === 0) await note(store, `other.test-${at}`, 'other');
  }
}

/** An old program that ends with one consumer behind, one message parked; a new log where positions are others. */
async function oldProgram() {
  const [old_url, new_url, tables_url] = [
    await server.database(),
    await server.database(),
    await server.database(),
  ];
  const tables = await openTables(tables_url);
  for (const statement of TABLES) await tables.query(statement);
  await tables.close();

  const first = await program(old_url, tables_url, ['readers.slow', 'readers.quick']);
  await written(first.store, 0, 20);
  await first.idle();
  await first.stop();
  const second = await program(old_url, tables_url, ['readers.quick'], 'n25');
  await written(second.store, 20, 40);
  await second.idle();
  await second.stop();

  const fresh = await openLog(new_url);
  for (let at = 0; at < 100; at += 1) await note(fresh, 'before.test-x', `b${at}`);
  return { old_url, new_url, tables_url, fresh };
}

const heldLog = (connectionString: string) =>
  heldPostgresLog({ connectionString, clock: systemClock, log: silentLog, lock_wait_ms: 100 });

test('nothing is lost and nothing takes effect twice; a program that still writes is told', async () => {
  const { old_url, new_url, tables_url, fresh } = await oldProgram();
  const readModels = await openTables(tables_url);
  const running = await openLog(old_url);
  const refused = heldLog(old_url);
  await expect(refused.start()).rejects.toThrow(LogIsTaken);
  await refused.close();
  await running.close();

  const source = heldLog(old_url);
  await source.start();
  await expect(openLogQuickly(old_url)).rejects.toThrow(LogIsTaken);
  let appends_left = 17;
  const dying: EventStore = {
    ...fresh,
    append(...asked) {
      appends_left -= 1;
      if (appends_left < 0) throw new Unavailable('the new log');
      return fresh.append(...asked);
    },
  };
  const move = { source, readModels, schemas: SCHEMAS };
  await expect(migrateLog({ ...move, target: dying })).rejects.toThrow(Unavailable);
  expect(await migrateLog({ ...move, target: fresh })).toEqual({ events: 50, streams: 13 });
  const translated = await positionsIn(readModels);
  expect(await migrateLog({ ...move, target: fresh })).toEqual({ events: 50, streams: 13 });
  expect(await positionsIn(readModels)).toEqual(translated);
  await readModels.query('update readers.parked set next_try_at = now() where next_try_at > now()');
  await source.close();
  await readModels.close();
  await fresh.close();

  const after = await program(new_url, tables_url, ['readers.slow', 'readers.quick']);
  await written(after.store, 40, 50);
  const newest = await note(after.store, 'note.test-a', 'n50');
  await after.idle();
  const expected = STREAMS.map((key, at) => [
    key,
    Array.from({ length: 50 }, (_, n) => n)
      .filter((n) => n % 3 === at)
      .map((n) => `n${n}`)
      .concat(at === 0 ? ['n50'] : []),
  ]);
  await eventually(async () => (await after.readModels.query('select 1 from readers.parked')).length === 0);
  for (const consumer of ['readers.slow', 'readers.quick']) {
    const rows = await after.readModels.query<{ key: string; note: string }>(
      'select key, note from readers.seen where consumer = $1 order by place',
      [consumer],
    );
    const heard = STREAMS.map((key) => [
      key,
      rows.filter((row) => row.key === key).map((row) => row.note),
    ]);
    expect(heard).toEqual(expected);
  }
  for (const [stream, notes] of expected as [StreamName, string[]][]) {
    const runtime = { eventStore: after.store, readModels: after.readModels };
    expect(await readFolded(runtime, folding, stream, newest)).toEqual(notes);
    expect(await readFolded(runtime, folding, stream, null)).toEqual(notes);
  }
  await after.stop();
});

async function openLogQuickly(connectionString: string): Promise<void> {
  const store = postgresEventStore({
    ...{ connectionString, clock: systemClock, log: silentLog, lock_wait_ms: 100 },
  });
  await store.start().finally(() => store.close());
}

type Tables = Awaited<ReturnType<typeof openTables>>;

const positionsIn = (tables: Tables) =>
  tables.query(`select follower, position from notes.checkpoints
    union all select follower, position from readers.checkpoints
    union all select id, position from notes.note_list
    union all select key || note, position from readers.parked, lateral (select message->>'id' as note) as of
    order by 1`);

async function eventually(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('each position becomes that of the same event; lanes begin where their consumer was, relays behind all', async () => {
  const { old_url, fresh, tables_url } = await oldProgram();
  const readModels = await openTables(tables_url);
  await readModels.query(`alter table readers.parked add column if not exists lane text not null default ''`);
  await readModels.query(`alter table notes.parked add column if not exists lane text not null default ''`);
  const source = heldLog(old_url);
  await source.start();
  const before = await readModels.query<{ follower: string; position: string }>(
    'select follower, position from readers.checkpoints',
  );
  await migrateLog({
    ...{ source, readModels, target: fresh, schemas: SCHEMAS },
    lanes: {
      lanes: () => ['notes/0', 'notes/1'],
      laneOf: ({ type }) => `${type.slice(0, type.indexOf('.'))}/1`,
      relays: [{ schema: 'notes', follower: 'relay.notes:test', mode: 'test' }],
    },
  });
  const after = new Map(
    (
      await readModels.query<{ follower: string; position: string }>(
        'select follower, position from readers.checkpoints union all select follower, position from notes.checkpoints',
      )
    ).map(({ follower, position }) => [follower, position]),
  );
  for (const { follower, position } of before) {
    // A hundred events were in the new log before these.
    const moved = String(Number(position) + 100);
    expect([follower, after.get(follower)]).toEqual([follower, moved]);
    expect(after.get(`${follower}:notes/0`)).toBe(moved);
    expect(after.get(`${follower}:notes/1`)).toBe(moved);
  }
  expect(after.get('relay.notes:test')).toBe(after.get('readers.slow:test'));
  expect(Number(after.get('readers.quick:test'))).toBeGreaterThan(Number(after.get('readers.slow:test')));
  const parked = await readModels.query<{ lane: string }>('select distinct lane from readers.parked');
  expect(parked).toEqual([{ lane: 'notes/1' }]);
  await source.close();
  await readModels.close();
  await fresh.close();
});

test('checkpoints of another log are refused, and nothing is translated', async () => {
  const { old_url, fresh, tables_url } = await oldProgram();
  const readModels = await openTables(tables_url);
  await readModels.query(`update readers.checkpoints set position = '5000' where follower = 'readers.slow:test'`);
  const before = await positionsIn(readModels);
  const source = heldLog(old_url);
  await source.start();
  const moving = migrateLog({ source, readModels, target: fresh, schemas: SCHEMAS });
  await expect(moving).rejects.toThrow('readers: readers.slow:test is past the end of the old log');
  expect(await positionsIn(readModels)).toEqual(before);
  await source.close();
  await readModels.close();
  await fresh.close();
});
