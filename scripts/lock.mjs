// One process at a time installs and builds here; the lock of a dead one does not count.
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './terminal.mjs';

const LOOK_EVERY_MS = 200;

export async function withLock(path, work) {
  mkdirSync(dirname(path), { recursive: true });
  const mine = identity(process.pid);
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, mine);
  try {
    await take(path, draft);
  } finally {
    rmSync(draft, { force: true });
  }
  const release = () => read(path) === mine && rmSync(path, { force: true });
  const interrupted = (signal) => {
    release();
    process.exit(signal === 'SIGINT' ? 130 : 143);
  };
  process.once('exit', release);
  process.once('SIGINT', interrupted);
  process.once('SIGTERM', interrupted);
  try {
    return await work();
  } finally {
    release();
    process.removeListener('exit', release);
    process.removeListener('SIGINT', interrupted);
    process.removeListener('SIGTERM', interrupted);
  }
}

async function take(path, draft) {
  let told = false;
  for (;;) {
    try {
      // A link, unlike a write, fails when the name is taken.
      linkSync(draft, path);
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = read(path);
    if (holder === null) continue;
    if (!lives(holder)) {
      removeDead(path, holder);
      continue;
    }
    if (!told) say(`waiting for process ${holder.split(' ')[0]}, which installs or builds here`);
    told = true;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Takes a dead holder's lock away, but not one that was taken anew in between. */
function removeDead(path, holder) {
  const aside = `${path}.dead.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  if (read(aside) !== holder && !existsSync(path)) linkSync(aside, path);
  rmSync(aside);
}

/** A pid and when it began: after a crash the same pid may be another program's. */
function identity(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return `${pid} ${text.slice(text.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return `${pid}`;
  }
}

function lives(holder) {
  const pid = Number(holder.split(' ')[0]);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code === 'ESRCH') return false;
  }
  return identity(pid) === holder;
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}
