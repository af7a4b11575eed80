import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  foldedView,
  followProjections,
  projectionFollower,
  Unavailable,
  type StreamName,
} from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { postgresEventStore, postgresReadModels, type PostgresReadModels } from '../index';
import { patient, silentLog, systemClock } from '../testing/quiet-ports';
import { startTestPostgres, type TestPostgres } from '../testing/test-postgres';

class CreateNotes1763700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table notes.note_list_g1
        (id text primary key, state json not null, position text not null, words int not null)`,
    );
    await runner.query('create view notes.note_list as select * from notes.note_list_g1');
    await runner.query(`insert into notes.generations values ('note_list', 1, 'live')`);
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop view notes.note_list');
  }
}

/** Ends only what would wait for ever. */
const PATIENCE_MS = 300_000;

let server: TestPostgres;
let url: string;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());
beforeEach(async () => {
  url = await server.database();
});
afterEach(async () => {
  for (const part of open.splice(0).reverse()) await part.close();
});

async function startReadModels(): Promise<PostgresReadModels> {
  const readModels = postgresReadModels({
    ...{ connectionString: url, schemas: ['notes'], migrations: [CreateNotes1763700000000] },
    ...{ log: silentLog, pool_max: 4 },
  });
  open.push(readModels);
  await readModels.start();
  return readModels;
}

async function startStore() {
  const ports = { clock: systemClock, log: silentLog };
  const store = postgresEventStore({ connectionString: url, ...ports, ...patient });
  open.push(store);
  await store.start();
  return store;
}

describe('read models', () => {
  it('runs a migration once', async () => {
    await startReadModels();
    const again = await startReadModels();
    expect(await again.query('select name from tender_migrations')).toEqual([
      { name: 'CreateNotes1763700000000' },
    ]);
  });

  it('keeps row and checkpoint in one transaction', async () => {
    const readModels = await startReadModels();
    const insert = `insert into notes.note_list values ('n1', '{}', '1', 1)`;
    await expect(
      readModels.transaction(async (tx) => {
        await tx.query(insert);
        await readModels.saveCheckpoint(tx, 'notes', 'list', '1');
        throw new Error('killed before the commit');
      }),
    ).rejects.toThrow('killed');
    expect(await readModels.query('select id from notes.note_list')).toEqual([]);
    expect(await readModels.checkpoint('notes', 'list')).toBeNull();
    expect(await readModels.waitFor('notes', 'list', '1', 1)).toBe(false);

    await readModels.transaction(async (tx) => {
      await tx.query(insert);
      await readModels.saveCheckpoint(tx, 'notes', 'list', '1');
    });
    expect(await readModels.query('select id from notes.note_list')).toEqual([{ id: 'n1' }]);
    expect(await readModels.checkpoint('notes', 'list')).toBe('1');
  });

  it('fails the transaction of a process that another one has taken over from', async () => {
    const zombie = await startReadModels();
    await zombie.checkpoint('notes', 'list');
    const save = (readModels: PostgresReadModels, position: string) =>
      readModels.transaction((tx) => readModels.saveCheckpoint(tx, 'notes', 'list', position));
    await save(zombie, '1');
    const heir = await startReadModels();
    expect(await heir.checkpoint('notes', 'list')).toBe('1');
    await expect(save(zombie, '2')).rejects.toThrow(Unavailable);
    await save(heir, '3');
    expect(await heir.checkpoint('notes', 'list')).toBe('3');
  });

  it('takes a follower over anew once it was released, not before', async () => {
    const first = await startReadModels();
    const second = await startReadModels();
    const save = (readModels: PostgresReadModels, position: string) =>
      readModels.transaction((tx) => readModels.saveCheckpoint(tx, 'notes', 'list', position));
    await first.checkpoint('notes', 'list');
    await second.checkpoint('notes', 'list');
    await save(second, '1');
    await expect(save(first, '2')).rejects.toThrow(Unavailable);
    // As a follower does after a failure: it must not take back what it has lost.
    expect(await first.checkpoint('notes', 'list')).toBe('1');
    await expect(save(first, '2')).rejects.toThrow(Unavailable);
    await save(second, '3');

    first.release('notes', 'list');
    expect(await first.checkpoint('notes', 'list')).toBe('3');
    await save(first, '4');
    await expect(save(second, '5')).rejects.toThrow(Unavailable);
  });

  it('sees who goes on in its place, though it followed before', async () => {
    const first = await startReadModels();
    const second = await startReadModels();
    const save = (readModels: PostgresReadModels, position: string) =>
      readModels.transaction((tx) => readModels.saveCheckpoint(tx, 'notes', 'list', position));
    await first.checkpoint('notes', 'list');
    const early = first.waitFor('notes', 'list', '2', PATIENCE_MS);
    await second.checkpoint('notes', 'list');
    await save(second, '1');
    // It does not know yet; at the end of its patience it looks.
    expect(await first.waitFor('notes', 'list', '1', 1)).toBe(true);
    await save(second, '2');
    await expect(save(first, '2')).rejects.toThrow(Unavailable);
    expect(await early).toBe(true);
    await save(second, '3');
    expect(await first.waitFor('notes', 'list', '3', PATIENCE_MS)).toBe(true);
    first.release('notes', 'list');
    await save(second, '4');
    expect(await first.waitFor('notes', 'list', '4', PATIENCE_MS)).toBe(true);
  });

  it('moves no checkpoint that is not where it was left, and takes over again what is from before', async () => {
    const readModels = await startReadModels();
    const save = (position: string, from: string | null) =>
      readModels.transaction((tx) => readModels.saveCheckpoint(tx, 'notes', 'list', position, from));
    await readModels.checkpoint('notes', 'list');
    await save('1', null);
    await save('2', '1');
    await expect(save('4', '3')).rejects.toThrow('not where it was left');
    const setBack = (to: string) => readModels.query(`update notes.checkpoints set ${to}`);
    await setBack(`position = '1'`);
    await expect(save('3', '2')).rejects.toThrow('not where it was left');
    expect(await readModels.checkpoint('notes', 'list')).toBe('1');
    // Who waits for a position is not told of what was reached before.
    expect(await readModels.waitFor('notes', 'list', '2', 1)).toBe(false);
    await save('3', '1');

    await setBack(`position = '2', epoch = 0, owner = 'another'`);
    await expect(save('4', '3')).rejects.toThrow('another process follows');
    expect(await readModels.checkpoint('notes', 'list')).toBe('2');
    await save('4', '2');
    await readModels.query('delete from notes.checkpoints');
    await expect(save('5', '4')).rejects.toThrow(Unavailable);
    expect(await readModels.checkpoint('notes', 'list')).toBeNull();
    await save('5', null);
  });

  it('starts four times at once on an empty database', async () => {
    const started = await Promise.all([1, 2, 3, 4].map(startReadModels));
    for (const readModels of started) {
      expect(await readModels.query('select name from tender_migrations')).toHaveLength(1);
    }
  });

  it('wakes who waits for a position, and compares positions as numbers', async () => {
    const readModels = await startReadModels();
    await readModels.checkpoint('notes', 'list');
    const waiting = readModels.waitFor('notes', 'list', '10', PATIENCE_MS);
    const save = (position: string) =>
      readModels.transaction((tx) => readModels.saveCheckpoint(tx, 'notes', 'list', position));
    await save('9');
    await save('11');
    expect(await waiting).toBe(true);
    const noted = readModels.waitFor('notes', 'list', '12', PATIENCE_MS);
    readModels.noteProgress?.('notes', 'list', '12');
    expect(await noted).toBe(true);
  });

  it('sees the progress of another process in the table', async () => {
    const follower = await startReadModels();
    const reader = await startReadModels();
    const waiting = reader.waitFor('notes', 'list', '5', PATIENCE_MS);
    await follower.transaction((tx) => follower.saveCheckpoint(tx, 'notes', 'list', '5'));
    expect(await waiting).toBe(true);
    expect(await reader.waitFor('notes', 'list', '6', 1)).toBe(false);
  });

  it('answers Unavailable when its connection is cut, and goes on with another', async () => {
    const readModels = await startReadModels();
    await expect(
      readModels.transaction(async (tx) => {
        await tx.query('select pg_terminate_backend(pg_backend_pid())');
      }),
    ).rejects.toThrow(Unavailable);
    expect(await readModels.query('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('projections', () => {
  const applied: string[] = [];
  let failures = 0;
  const list = foldedView<{ words: string[] }, { type: 'Noted'; data: { note: string } }>({
    ...{ name: 'notes.note-list@1', noun: 'note', modes: ['test', 'live'] as const },
    table: 'notes.note_list',
    decider: {
      initial: { words: [] },
      evolve: (state, event) => ({ words: [...state.words, event.data.note] }),
    },
    columns: { words: ['int', ({ words }) => words.length] },
  });
  const watched: typeof list = {
    ...list,
    async apply(events, tx, table) {
      await list.apply(events, tx, table);
      applied.push(...events.map(({ position }) => position));
      if (failures > 0) {
        failures -= 1;
        throw new Error('killed before the checkpoint');
      }
    },
  };

  it('folds each event once, whatever fails and restarts in between', async () => {
    const store = await startStore();
    const readModels = await startReadModels();
    const write = async (stream: StreamName, from: number, notes: string[]) =>
      store.append(
        stream,
        notes.map((note) => sampleEvent(stream, { note })),
        from === 0 ? 'no_stream' : from - 1,
      );
    const options = { eventStore: store, schema: 'notes', projections: [watched], log: silentLog };
    await write('note.test-a', 0, ['one', 'two']);
    failures = 2;
    const before = followProjections({ ...options, readModels });
    await before.start();
    await write('note.live-b', 0, ['three']);
    await before.idle();
    await before.stop();

    const after = followProjections({ ...options, readModels: await startReadModels() });
    await after.start();
    const appended = await write('note.test-a', 2, ['four']);
    await after.idle();
    await after.stop();
    expect(await readModels.query('select id, state, words from notes.note_list order by id')).toEqual([
      { id: 'a', state: { words: ['one', 'two', 'four'] }, words: 3 },
      { id: 'b', state: { words: ['three'] }, words: 1 },
    ]);
    const follower = projectionFollower('notes.note-list@1', 'test');
    expect(await readModels.checkpoint('notes', follower)).toBe((appended as { position: string }).position);
    expect(applied.length).toBeGreaterThan(4);
  });

  it('goes on from rows and checkpoint that were set back while it followed, by itself', async () => {
    const store = await startStore();
    const readModels = await startReadModels();
    const projections = followProjections({
      ...{ eventStore: store, readModels, schema: 'notes', projections: [list], log: silentLog },
    });
    await projections.start();
    const write = (id: string, revision: number, note: string) =>
      store.append(
        `note.test-${id}`,
        [sampleEvent(`note.test-${id}`, { note })],
        revision === 0 ? 'no_stream' : revision - 1,
      );
    await write('a', 0, 'one');
    await projections.idle();
    const tables = ['notes.note_list_g1', 'notes.checkpoints'];
    for (const table of tables) await readModels.query(`create table ${table}_was as table ${table}`);
    await write('a', 1, 'two');
    await write('b', 0, 'lost');
    await projections.idle();
    // As a replica that has not heard of the last seconds and is the one from now on.
    await readModels.transaction(async (tx) => {
      for (const table of tables) {
        await tx.query(`delete from ${table}`);
        await tx.query(`insert into ${table} select * from ${table}_was`);
      }
    });
    await write('a', 2, 'three');
    await projections.idle();
    const rows = await readModels.query('select id, state from notes.note_list order by id');
    expect(rows).toEqual([
      { id: 'a', state: { words: ['one', 'two', 'three'] } },
      { id: 'b', state: { words: ['lost'] } },
    ]);
    await projections.stop();
  });

  it('makes nothing of a position that was folded before', async () => {
    const store = await startStore();
    const readModels = await startReadModels();
    const name = projectionFollower('notes.note-list@1', 'test');
    await store.append('note.test-a', [sampleEvent('note.test-a', { note: 'one' })], 'no_stream');
    // A commit whose answer never came: the row and the checkpoint are there, the follower does not know.
    let lose_answer = true;
    const forgetful = {
      ...readModels,
      async transaction<Result>(work: Parameters<typeof readModels.transaction<Result>>[0]) {
        const result = await readModels.transaction(work);
        if (lose_answer) {
          lose_answer = false;
          throw new Unavailable('read models');
        }
        return result;
      },
    };
    const projections = followProjections({
      ...{ eventStore: store, readModels: forgetful, schema: 'notes', projections: [watched] },
      log: silentLog,
    });
    await projections.start();
    await projections.idle();
    await projections.stop();
    expect(await readModels.query('select state from notes.note_list')).toEqual([
      { state: { words: ['one'] } },
    ]);
    expect(await readModels.checkpoint('notes', name)).toBe('1');
  });
});
