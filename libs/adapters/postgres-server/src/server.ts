import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChildProcess } from 'node:child_process';
import type { ChildRun, Log } from '@tender/eventing';
import { watchChild, type WatchedChild } from '@tender/kernel';
import type { Account } from './account';
import { freePort } from './free-port';
import { readPostmaster } from './leftover';
import { PostgresFault } from './postgres-fault';
import { ENVIRONMENT, PASSING, RETRY_EVERY_MS, RETRY_MS, SETTINGS, settingArguments } from './settings';

const PORT_TAKEN = /could not bind|Address already in use|could not create any TCP\/IP sockets/;
/** Replaying the log after a crash takes its time. */
const READY_WAIT_MS = 120_000;
const READY_LOOK_MS = 10;
const STOP_WAIT_MS = 15_000;

export interface ServerWanted {
  /** A free one by default. */
  readonly port?: number | undefined;
  /** 50 by default. */
  readonly connections_max?: number | undefined;
}

export interface Server extends ChildRun {
  readonly port: number;
  /** To each of its processes: one answers for each connection. */
  signal(name: NodeJS.Signals): void;
}

/** Starts the server as a child and answers when it takes connections. Tries again for 10 s after a kill. */
export async function launch(
  cluster: string,
  account: Account,
  log: Log,
  wanted: ServerWanted,
): Promise<Server> {
  for (const until = Date.now() + RETRY_MS; ; await sleep(RETRY_EVERY_MS)) {
    const port = wanted.port ?? (await freePort());
    const child = run(cluster, account, port, wanted);
    const watched = watchChild(child);
    if (await isReady(child, watched, cluster)) return serving({ child, port, log, watched });
    const words = watched.said() || (await watched.ended);
    const passing = PASSING.test(words) || PORT_TAKEN.test(words);
    if (!passing || Date.now() > until) throw new PostgresFault('Postgres does not start', words);
  }
}

function run(
  cluster: string,
  account: Account,
  port: number,
  { connections_max }: ServerWanted,
): ChildProcess {
  const max_connections = String(connections_max ?? 50);
  const args = settingArguments({ ...SETTINGS, port: String(port), max_connections });
  return account.run('postgres', cluster, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    cwd: '/',
    env: ENVIRONMENT,
    // A Ctrl-C is for the program, which stops the server when it has done with it.
    detached: true,
  });
}

/** False when the server has ended instead. */
async function isReady(
  child: ChildProcess,
  { closed }: WatchedChild,
  cluster: string,
): Promise<boolean> {
  let ended = false;
  const end = closed.then(() => (ended = true));
  for (const until = Date.now() + READY_WAIT_MS; Date.now() < until; await sleep(READY_LOOK_MS)) {
    if (ended) return false;
    const postmaster = readPostmaster(cluster);
    if (postmaster?.pid === child.pid && postmaster?.ready) return true;
  }
  child.kill('SIGQUIT');
  await end;
  return false;
}

/** A connection's process may end between the list and the signal, or be gone from a server that goes on. */
const signalIfAlive = (name: NodeJS.Signals) => (pid: number) => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

interface Started {
  readonly child: ChildProcess;
  readonly port: number;
  readonly log: Log;
  readonly watched: WatchedChild;
}

function serving({ child, port, log, watched: { ended, said } }: Started): Server {
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const write = line.startsWith('LOG:') ? log.info : log.warn;
      write({ part: 'postgres' }, line);
    });
  }
  return {
    port,
    pid: child.pid ?? null,
    ...{ ended, said },
    signal(name) {
      const { pid } = child;
      if (pid === undefined) return;
      // First the server: one that is stopped begins no connection that the list would miss.
      process.kill(pid, name);
      const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
      children.split(' ').filter(Boolean).map(Number).forEach(signalIfAlive(name));
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT');
      const hurry = setTimeout(() => child.kill('SIGQUIT'), STOP_WAIT_MS);
      await ended;
      clearTimeout(hurry);
    },
  };
}
