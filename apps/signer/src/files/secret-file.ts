import {
  closeSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync, statSync, unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { SettingsFault } from '../settings/settings-fault';

/** Rights of the group and of others. */
const FOREIGN_RIGHTS = 0o077;

/** Refuses a folder that others than this process’s user can enter. */
export function checkFolder(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (!found?.isDirectory()) {
    throw new SettingsFault(`SIGNER_DIR: ${dir} is no folder: make it, owned by this user, mode 0700.`);
  }
  checkOwn(`SIGNER_DIR: ${dir}`, found, '0700');
}

/** The bytes of a file that only this process’s user can read; null where there is none. */
export function readSecretFile(dir: string, name: string): Buffer | null {
  const path = join(dir, name);
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    checkOwn(path, fstatSync(file), '0600');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** The bytes of the file, which is made of `fresh` where there is none: whole or not at all, once. */
export function secretFile(dir: string, name: string, fresh: () => Buffer): Buffer {
  const found = readSecretFile(dir, name);
  if (found) return found;
  const made = join(dir, `.${name}.${process.pid}`);
  const file = openSync(made, 'wx', 0o600);
  try {
    writeSync(file, fresh());
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    // Unlike a rename it replaces nothing: of two processes that begin, both read the file of one.
    linkSync(made, join(dir, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(made);
  }
  return readSecretFile(dir, name) as Buffer;
}

function checkOwn(
  what: string,
  { mode, uid }: { readonly mode: number; readonly uid: number },
  wanted: string,
): void {
  const user = process.getuid?.();
  if (user !== undefined && uid !== user) {
    throw new SettingsFault(`${what} belongs to user ${uid}, not to ${user}, who runs this signer: chown it.`);
  }
  if ((mode & FOREIGN_RIGHTS) === 0) return;
  const rights = (mode & 0o777).toString(8).padStart(4, '0');
  throw new SettingsFault(`${what} is open to others (mode ${rights}): chmod ${wanted} it, and change what it holds.`);
}
