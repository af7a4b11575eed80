import { readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { AlreadyRunning } from './owner-file';
import { programOf, startOf } from './process-identity';
import { DATABASE } from './roles';
import { everydayRole } from './settle-roles';

/** After a kill, connections live on for a moment and still hold their locks. */
const LOCK_WAIT_MS = 10_000;
const STOP_WAIT_MS = 10_000;
const LOOK_EVERY_MS = 50;

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
  /** It takes no connections and works on the files by itself: `postgres --single`, or one that is making them. */
  readonly alone: boolean;
}

/** What `postmaster.pid` says; null when there is none, or it is not complete yet. */
export function readPostmaster(cluster: string): Postmaster | null {
  let lines: string[];
  try {
    lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return null;
  }
  const [written, port] = [Number(lines[0]), Number(lines[3])];
  const [pid, alone] = [Math.abs(written), written < 0];
  return pid > 0 && port > 0 ? { pid, port, ready: lines[7]?.trim() === 'ready', alone } : null;
}

/**
 * Stops the server that a killed program left running on the folder; it is never taken over. When a
 * connection holds the program's advisory lock for longer than a dead one can, the program is alive
 * after all, if only on the other side of a container's wall: `AlreadyRunning`.
 */
export async function stopLeftover(
  cluster: string,
  dataDir: string,
  password: string,
): Promise<void> {
  const postmaster = readPostmaster(cluster);
  if (!postmaster) return;
  if (!serves(postmaster.pid, cluster)) {
    // The number belongs to another program now, and Postgres would believe that it is a server.
    rmSync(join(cluster, 'postmaster.pid'), { force: true });
    return;
  }
  // What that was to do is done, or is nothing, soon after the program that asked for it is gone.
  if (postmaster.alone && (await hasEnded(postmaster.pid))) return;
  const until = Date.now() + LOCK_WAIT_MS;
  const user = everydayRole(cluster);
  const holds = () => (postmaster.alone ? null : lockHolder(postmaster.port, user, password));
  for (let holder = await holds(); holder; holder = await holds()) {
    if (Date.now() > until) throw new AlreadyRunning(dataDir, holder);
    await sleep(LOOK_EVERY_MS);
  }
  await end(postmaster.pid);
}

function serves(pid: number, cluster: string): boolean {
  if (startOf(pid) === null || programOf(pid) !== 'postgres') return false;
  if (process.platform !== 'linux') return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
  } catch {
    // Another user's process does not tell where it works.
    return true;
  }
}

/** Of the locks of `tender ops replay`, which may go on with the tables of a program that was killed. */
const REPLAY_CLASS = 0x54454e46;

/**
 * The pid of a connection that holds an advisory lock in the program's database; null when none does, or the server
 * takes no questions. Signers, which outlive a program that is killed, have databases of their own.
 */
async function lockHolder(port: number, user: string, password: string): Promise<number | null> {
  const client = new Client({ host: '127.0.0.1', port, user, password, database: DATABASE });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_locks where locktype = 'advisory' and classid <> ${REPLAY_CLASS} and granted
         and database = (select oid from pg_database where datname = current_database()) limit 1`,
    );
    return rows[0]?.pid ?? null;
  } catch (error) {
    if (TAKES_NO_QUESTIONS.includes((error as { code?: string }).code ?? '')) return null;
    throw error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Not listening yet or any more; starting up; shutting down. */
const TAKES_NO_QUESTIONS = ['ECONNREFUSED', 'ECONNRESET', '57P03', '57P01'];

/** Fast shutdown: connections are cut, what is committed is kept. */
async function end(pid: number): Promise<void> {
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    kill(pid, signal);
    if (await hasEnded(pid)) return;
  }
  throw new Error(`the Postgres server with pid ${pid} was left running and does not stop`);
}

/** False when it is there after a time in which any would have ended. */
async function hasEnded(pid: number): Promise<boolean> {
  for (const until = Date.now() + STOP_WAIT_MS; Date.now() < until; await sleep(LOOK_EVERY_MS)) {
    if (startOf(pid) === null) return true;
  }
  return false;
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
