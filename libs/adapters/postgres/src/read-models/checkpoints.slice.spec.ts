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
});
