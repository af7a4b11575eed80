import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSecretFile } from './secret-file';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'tender-secret-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function kept(mode: number): string {
  const file = path.join(folder, 'key');
  writeFileSync(file, ' the secret\n');
  chmodSync(file, mode);
  return file;
}

test.each([0o600, 0o400, 0o440])('a file of mode %o is read', (mode) => {
  expect(readSecretFile('KEY', kept(mode))).toBe('the secret');
});

test.each([0o644, 0o604, 0o660, 0o777])('a file of mode %o is refused, and not shown', (mode) => {
  const file = kept(mode);
  expect(() => readSecretFile('KEY', file)).toThrow(`KEY names ${file}, which others may read.`);
});

test('what is no file is refused by the name of the setting', () => {
  const missing = path.join(folder, 'none');
  expect(() => readSecretFile('KEY', missing)).toThrow(`KEY names ${missing}, which is no file`);
  expect(() => readSecretFile('KEY', folder)).toThrow('which is no file');
});
