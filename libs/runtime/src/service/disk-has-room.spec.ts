import { tmpdir } from 'node:os';
import { diskHasRoom } from './disk-has-room';

const MIB = 2 ** 20;

test.each([
  [64, true, 0],
  [63, false, 1],
  [0, false, 1],
])('with %i MiB that are free: %s', async (bavail, has_room, lines) => {
  const said: object[] = [];
  const error = (fields: object) => void said.push(fields);
  const log = { info: fail, warn: fail, error };
  const hasRoom = diskHasRoom('/data', log, async () => ({ bavail, bsize: MIB }));
  expect(await hasRoom()).toBe(has_room);
  expect(said).toEqual(Array(lines).fill({ data_dir: '/data', free_mib: bavail, needed_mib: 64 }));
});

test('the disk of this machine is asked by its own call', async () => {
  const said: object[] = [];
  const error = (fields: object) => void said.push(fields);
  const hasRoom = diskHasRoom(tmpdir(), { info: fail, warn: fail, error });
  expect(await hasRoom()).toBe(said.length === 0);
});

test('a folder that is gone has no room, and the log says so', async () => {
  const said: object[] = [];
  const error = (fields: object, message: string) => void said.push({ ...fields, message });
  const hasRoom = diskHasRoom('/nowhere/at all', { info: fail, warn: fail, error });
  expect(await hasRoom()).toBe(false);
  expect(said).toEqual([
    {
      data_dir: '/nowhere/at all',
      err: expect.objectContaining({ code: 'ENOENT' }),
      message: 'DATA_DIR cannot be read: it was moved away, or its disk is gone',
    },
  ]);
});

const fail = () => {
  throw new Error('nothing else is said');
};
