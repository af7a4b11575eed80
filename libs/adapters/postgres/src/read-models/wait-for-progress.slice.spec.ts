import { Unavailable } from '@tender/eventing';
import type { PostgresReadModels } from '../index';
import { noteStage } from '../testing/note-stage';

const { startReadModels } = noteStage();

/** Ends only what would wait for ever. */
const PATIENCE_MS = 300_000;

describe('read models', () => {
  it('sees the process that goes on in its place, though it followed before', async () => {
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

  it('wakes the caller that waits for a position, and compares positions as numbers', async () => {
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
});
