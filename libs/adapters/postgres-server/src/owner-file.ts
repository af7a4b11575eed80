import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOf } from './process-identity';

/** The program that owns a data folder is alive. */
export class AlreadyRunning extends Error {
  override readonly name = 'AlreadyRunning';
  constructor(dataDir: string, pid: number) {
    super(`already running (pid ${pid}) on the data folder ${dataDir}`);
  }
}

/** A program that is about to end needs a moment; its successor may start in that moment. */
const OWNER_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

/**
 * Writes into `path` that this process owns the data folder, and throws `AlreadyRunning` when a living
 * process does. A pid alone would not do: after a crash it may be another program's. Answers the
 * release.
 */
export async function claim(path: string, dataDir: string): Promise<() => void> {
  const mine = `${process.pid} ${startOf(process.pid)}`;
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, `${mine}\n`, { mode: 0o600 });
  try {
    for (const until = Date.now() + OWNER_WAIT_MS; !linked(draft, path); ) {
      const owner = read(path);
      if (owner === null) continue;
      if (!lives(owner)) removeDead(path, owner);
      else if (Date.now() > until) throw new AlreadyRunning(dataDir, pidOf(owner));
      else await sleep(LOOK_EVERY_MS);
    }
    return () => {
      if (read(path) === mine) rmSync(path, { force: true });
    };
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The pid of the living program that owns the folder; null when there is none. */
export function livingOwner(path: string): number | null {
  const owner = read(path);
  return owner !== null && lives(owner) ? pidOf(owner) : null;
}

/** Takes away what a dead owner left, but not what a faster process has written in its place. */
function removeDead(path: string, owner: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  if (read(aside) !== owner) linked(aside, path);
  rmSync(aside);
}

/** False when the name is taken. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null;
    throw error;
  }
}

const pidOf = (owner: string): number => Number(owner.split(' ', 1)[0]);

const lives = (owner: string): boolean => {
  const start = startOf(pidOf(owner));
  return start !== null && owner === `${pidOf(owner)} ${start}`;
};

const isCode = (error: unknown, code: string): boolean =>
  (error as NodeJS.ErrnoException | null)?.code === code;
