import {
  chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKek } from './kek-source';
import { databasePasswordIn, identityIn } from './signer-files';

let dir: string;
beforeEach(() => (dir = mkdtempSync(join(tmpdir(), 'signer-'))));
afterEach(() => rmSync(dir, { recursive: true }));

test('what a signer keeps secret is made once, for its user alone', async () => {
  const made = [identityIn(dir).public_key, databasePasswordIn(dir), openKek(dir, null).id];
  const again = [identityIn(dir).public_key, databasePasswordIn(dir), openKek(dir, null).id];
  expect(again).toEqual(made);
  expect(readdirSync(dir).sort()).toEqual(['database-password', 'identity', 'kek']);
  for (const name of readdirSync(dir)) expect(statSync(join(dir, name)).mode & 0o777).toBe(0o600);
  const wrapped = await openKek(dir, null).wrap(Buffer.from('a key'));
  expect(Buffer.from(await openKek(dir, null).unwrap(wrapped)).toString()).toBe('a key');
});

test.each(['identity', 'kek', 'database-password'])('%s is refused where others can read it', (name) => {
  const open = () => [identityIn(dir), databasePasswordIn(dir), openKek(dir, null)];
  open();
  chmodSync(join(dir, name), 0o640);
  expect(open).toThrow(
    `${join(dir, name)} is open to others (mode 0640): chmod 0600 it`,
  );
});

test('a folder that others can enter, or that is none, is refused', () => {
  chmodSync(dir, 0o750);
  expect(() => identityIn(dir)).toThrow('is open to others (mode 0750): chmod 0700 it');
  expect(() => identityIn(`${dir}/absent`)).toThrow('is no folder: make it');
});

test.each([
  ['too short', Buffer.alloc(31, 1)],
  ['zeros', Buffer.alloc(32)],
  ['a letter, again and again', Buffer.alloc(32, 'a')],
  ['fifteen letters', Buffer.from('abcdefghijklmno'.repeat(3).slice(0, 32))],
])('a key that is %s is refused', (_, bytes) => {
  writeFileSync(join(dir, 'kek'), bytes, { mode: 0o600 });
  expect(() => openKek(dir, null)).toThrow(`${dir}/kek is no key`);
});

test('a wrapped key that was changed, or is under another key, does not open', async () => {
  const kek = openKek(dir, null);
  const wrapped = Buffer.from(await kek.wrap(Buffer.from('a key')));
  rmSync(join(dir, 'kek'));
  await expect(openKek(dir, null).unwrap(wrapped)).rejects.toThrow();
  wrapped.writeUInt8(wrapped.readUInt8(wrapped.length - 1) ^ 1, wrapped.length - 1);
  await expect(kek.unwrap(wrapped)).rejects.toThrow();
});

test('the id of a key does not tell it', () => {
  const { id } = openKek(dir, null);
  expect(id).not.toContain(readFileSync(join(dir, 'kek')).toString('hex').slice(0, 8));
});
