import { Unavailable, type EventStore, type StreamName } from '@tender/eventing';
import { LogIsTaken, migrateLog, postgresEventStore } from '../index';
import {
  heldLog,
  note,
  noteList,
  oldProgram,
  openLog,
  openTables,
  program,
  SCHEMAS,
  STREAMS,
  written,
} from '../testing/moved-program';
import { silentLog, systemClock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

let server: TestPostgres;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

test('nothing is lost and nothing takes effect twice; while a program still writes, the log is not moved', async () => {
  const { old_url, new_url, tables_url, fresh } = await oldProgram(server);
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
    expect(await noteList.read(runtime, stream, newest)).toEqual(notes);
    expect(await noteList.read(runtime, stream, null)).toEqual(notes);
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
  const { old_url, fresh, tables_url } = await oldProgram(server);
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
  const { old_url, fresh, tables_url } = await oldProgram(server);
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
