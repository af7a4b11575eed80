import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDataDir } from './data-dir';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tender-data-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const read = (DATA_DIR: string) => readDataDir({ DATA_DIR }, '.data');

test('it is made, for its owner alone, with what is above it, and left empty', () => {
  const data_dir = path.join(folder, 'a', 'b');
  expect(read(data_dir)).toBe(data_dir);
  expect(read(data_dir)).toBe(data_dir);
  expect([statSync(data_dir).mode & 0o777, readdirSync(data_dir)]).toEqual([0o700, []]);
});

test.each([
  ['a file', 'file', 'is a file or below one'],
  ['a path below a file', 'file/data', 'is a file or below one'],
  ['a path with too long a name', 'x'.repeat(300), 'has a name in it that is too long'],
])('%s is refused in a sentence that names it', (_, name, why) => {
  writeFileSync(path.join(folder, 'file'), '');
  const data_dir = path.join(folder, name);
  expect(() => read(data_dir)).toThrow(
    `DATA_DIR is ${data_dir}, which ${why}. Name a folder that this user may write.`,
  );
});

test.each(['/proc/tender', '/proc/tender/data', '/proc/self'])('%s is refused, at once', (data_dir) => {
  if (!existsSync('/proc')) return;
  expect(() => read(data_dir)).toThrow(`DATA_DIR is ${data_dir}, which `);
});

test('a path that is too long for Postgres is refused', () => {
  const long = path.join(folder, ...Array.from({ length: 10 }, () => 'x'.repeat(100)));
  expect(() => read(long)).toThrow('Postgres takes 900 at most. Name a shorter one.');
  expect(readdirSync(folder)).toEqual([]);
});
