import { followProjections, projectionFollower, Unavailable, type StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import { noteList, noteStage } from '../testing/note-stage';
import { silentLog } from '../testing/quiet-ports';

const { startReadModels, startStore } = noteStage();

describe('projections', () => {
  const applied: string[] = [];
  let failures = 0;
  const watched: typeof noteList = {
    ...noteList,
    async apply(events, tx, table) {
      await noteList.apply(events, tx, table);
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
      ...{ eventStore: store, readModels, schema: 'notes', projections: [noteList], log: silentLog },
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
