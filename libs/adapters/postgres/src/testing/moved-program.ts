import {
  foldedView,
  followProjections,
  hashOf,
  type EventStore,
  type NewEvent,
  type PublicEvent,
  type StreamName,
} from '@tender/eventing';
import { conformanceContexts, noteOf, sampleEvent } from '@tender/eventing/testing';
import { embeddedBus, heldPostgresLog, postgresEventStore, postgresReadModels } from '../index';
import { patient, silentLog, systemClock } from './quiet-ports';
import type { TestPostgres } from './test-postgres';

type Noted = { readonly type: 'Noted'; readonly data: { readonly note: string } };
export const noteList = foldedView<readonly string[], Noted>({
  ...{ name: 'notes.note-list@1', noun: 'note', modes: ['test', 'live'] },
  table: 'notes.note_list',
  decider: { initial: [], evolve: (notes, { data }) => [...notes, data.note] },
  columns: {},
});
export const SCHEMAS = ['notes', 'readers'];
const TABLES = [
  'create table notes.note_list_g1 (id text primary key, state json not null, position text not null)',
  'create view notes.note_list as select * from notes.note_list_g1',
  "insert into notes.generations (view, generation, state) values ('note_list', 1, 'live')",
  'create table readers.seen (place bigint generated always as identity, consumer text, key text, note text)',
];

export async function openTables(connectionString: string) {
  const readModels = postgresReadModels({
    ...{ connectionString, schemas: SCHEMAS, migrations: [], log: silentLog, pool_max: 6 },
  });
  await readModels.start();
  return readModels;
}

export async function openLog(connectionString: string) {
  const ports = { clock: systemClock, log: silentLog };
  const store = postgresEventStore({ connectionString, ...ports, ...patient });
  await store.start();
  return store;
}

/** A program: a projection, and consumers that write down in their own transaction what they hear. */
export async function program(log_url: string, tables_url: string, consumers: readonly string[], poison = '') {
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
export async function note(store: EventStore, stream: StreamName, text: string) {
  const history = await store.load(stream);
  const last = history.at(-1);
  const event = sampleEvent(stream, { note: text, 'size\\"': '1' });
  const metadata = { ...event.metadata, prev_hash: last ? hashOf(last) : null };
  const chained: NewEvent = { ...event, metadata };
  const appended = await store.append(stream, [chained], last ? last.revision : 'no_stream');
  if (!appended.ok) throw new Error('another program wrote');
  return appended.position;
}

export const STREAMS: readonly StreamName[] = ['note.test-a', 'note.live-b', 'note.test-c'];

export async function written(store: EventStore, from: number, to: number) {
  for (let at = from; at < to; at += 1) {
    await note(store, STREAMS[at % STREAMS.length] as StreamName, `n${at}`);
    // Between the notes lies what no consumer here follows.
    if (at % 4 === 0) await note(store, `other.test-${at}`, 'other');
  }
}

/** An old program that ends with one consumer behind, one message parked; a new log where positions are others. */
export async function oldProgram(server: TestPostgres) {
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

export const heldLog = (connectionString: string) =>
  heldPostgresLog({ connectionString, clock: systemClock, log: silentLog, lock_wait_ms: 100 });
