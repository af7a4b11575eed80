import { Unavailable } from '@tender/eventing';
import type { PostgresReadModels } from '../index';
import { noteStage } from '../testing/note-stage';

const { startReadModels } = noteStage();

describe('read models', () => {
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
    // A caller that waits for a position does not hear of what was reached before.
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

  it('moves all checkpoints that one transaction moves at once', async () => {
    const readModels = await startReadModels();
    const followers = ['list', 'count', 'names'];
    for (const follower of followers) await readModels.checkpoint('notes', follower);
    await readModels.transaction((tx) =>
      Promise.all(followers.map((follower) => readModels.saveCheckpoint(tx, 'notes', follower, '1'))),
    );
    const kept = await readModels.query('select position from notes.checkpoints');
    expect(kept).toEqual(followers.map(() => ({ position: '1' })));
  });

  it('tells what a transaction has taken over itself from what another process has', async () => {
    const readModels = await startReadModels();
    const save = (position: string, from: string | null) =>
      readModels.transaction(async (tx) => {
        await tx.query(`insert into notes.note_list values ($1, '{}', '1', 1)`, [position]);
        await readModels.saveCheckpoint(tx, 'notes', 'list', position, from);
      });
    await save('1', null);
    readModels.release('notes', 'list');
    await expect(save('3', '2')).rejects.toThrow('not where it was left');
  });

  it('keeps no row beside a checkpoint that does not move, and leaves no transaction open', async () => {
    const [zombie, heir] = [await startReadModels(), await startReadModels()];
    const save = (one: PostgresReadModels, id: string, position: string, from: string | null) =>
      one.transaction(async (tx) => {
        await tx.query(`insert into notes.note_list values ($1, '{}', '1', 1)`, [id]);
        await one.saveCheckpoint(tx, 'notes', 'list', position, from);
      });
    await zombie.checkpoint('notes', 'list');
    await save(zombie, 'kept 1', '1', null);
    await expect(save(zombie, 'lost', '3', '2')).rejects.toThrow('not where it was left');
    await heir.checkpoint('notes', 'list');
    await expect(save(zombie, 'lost', '2', '1')).rejects.toThrow('another process follows');
    await save(heir, 'kept 2', '2', '1');

    const ids = await heir.query('select id from notes.note_list order by id');
    expect(ids).toEqual([{ id: 'kept 1' }, { id: 'kept 2' }]);
    expect(await heir.checkpoint('notes', 'list')).toBe('2');
    const open = `select from pg_stat_activity
      where datname = current_database() and state like 'idle in transaction%'`;
    expect(await heir.query(open)).toEqual([]);
  });
});
