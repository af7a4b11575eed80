import { TakenOver } from '@tender/adapter-postgres';
import { Unavailable, type ReadModels } from '@tender/eventing';
import { tellTakenOver } from './tell-taken-over';

async function toldOf(fault: Error | null): Promise<number> {
  let told = 0;
  const transaction = () => (fault ? Promise.reject(fault) : Promise.resolve());
  const readModels = { transaction } as unknown as ReadModels;
  const tables = tellTakenOver(readModels, () => (told += 1));
  const done = tables.transaction(() => Promise.resolve());
  if (fault) await expect(done).rejects.toBe(fault);
  else await done;
  return told;
}

test('a checkpoint that another process has taken calls `tell`; the write fails all the same', async () => {
  expect(await toldOf(new TakenOver('view'))).toBe(1);
});

test('a table that is kept beside the live one may be taken: its follower leaves it behind', async () => {
  expect(await toldOf(new TakenOver('view@1#2:test'))).toBe(0);
});

test('neither a swap of tables, which leaves the checkpoint to its follower, nor another fault calls `tell`', async () => {
  expect(await toldOf(new TakenOver('view', true))).toBe(0);
  expect(await toldOf(new Unavailable('view'))).toBe(0);
  expect(await toldOf(null)).toBe(0);
});
