import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { SettingsFault, type Env } from '@tender/eventing';

/** Bytes. Postgres takes no longer path than 1,023, with the names of its own files in it. */
const LENGTH_MAX = 900;

/** The words of people for what the system says. */
const WHY: Readonly<Record<string, string>> = {
  EEXIST: 'is a file or below one',
  ENOTDIR: 'is a file or below one',
  EACCES: 'may not be written',
  EPERM: 'may not be written',
  EROFS: 'is on a disk that cannot be written',
  ENAMETOOLONG: 'has a name in it that is too long',
  ENOSPC: 'is on a disk that is full',
  EDQUOT: 'is on a disk that is full',
};

/** The folder of DATA_DIR, made where it is missing and tried out. Throws `SettingsFault`. */
export function readDataDir(env: Env, fallback: string): string {
  const data_dir = path.resolve(env.DATA_DIR || fallback);
  openDataDir(data_dir);
  return data_dir;
}

/** Makes the folder where it is missing, and tries it out. Throws `SettingsFault`. */
export function openDataDir(data_dir: string): void {
  const length = Buffer.byteLength(data_dir);
  if (length > LENGTH_MAX) {
    throw new SettingsFault(
      `DATA_DIR is a path of ${length} bytes; Postgres takes ${LENGTH_MAX} at most. Name a shorter one.`,
    );
  }
  try {
    makeFolder(data_dir);
    const trial = path.join(data_dir, `.trial-${process.pid}`);
    writeFileSync(trial, 'it can be written');
    rmSync(trial);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const why = WHY[code] ?? `cannot be made a folder to write in (${code})`;
    throw new SettingsFault(
      `DATA_DIR is ${data_dir}, which ${why}. Name a folder that this user may write.`,
    );
  }
}

/** Node's own way to make the folders above, too, never comes back from a path below /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(path.dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
