import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { chownSync, closeSync, lchownSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { binariesFor, mayEnter, type User } from './binaries';
import { PostgresFault } from './postgres-fault';

/** Under which user the server runs. Postgres refuses to be root. */
export interface Account {
  readonly kind: 'self' | Way;
  /** Makes a file, or a folder with all in it, the account's own. */
  own(path: string): void;
  /** Runs the program on the data folder `cluster`. */
  run(
    program: Program,
    cluster: string,
    args: readonly string[],
    options: RunOptions,
  ): ChildProcess;
}

/** Of Postgres. That it works alone must be its first argument. */
export type Program = 'initdb' | 'postgres' | 'postgres --single';

export type RunOptions = Omit<SpawnOptions, 'stdio'> & { readonly stdio: readonly Stdio[] };
type Stdio = 'ignore' | 'pipe' | number;

/** What a root process may do to run a server that is not root; the first that works is taken. */
export type Way = 'namespace' | 'nobody';
const WAYS: readonly Way[] = ['namespace', 'nobody'];

/** The user that runs the server. `ways` lets a test ask for one of them. */
export function chooseAccount(packaged: string, ways: readonly Way[] = WAYS): Account {
  if (process.geteuid?.() !== 0) {
    return { kind: 'self', own: () => undefined, run: runIn(join(packaged, 'bin')) };
  }
  if (ways.includes('namespace') && namespacesWork()) return inNamespace(packaged);
  if (ways.includes('nobody') && process.platform === 'linux') return asNobody(packaged);
  throw new PostgresFault(
    'Postgres cannot run as root, and there are no user namespaces here',
    'start as an ordinary user',
  );
}

const runIn =
  (bin: string): Account['run'] =>
  (program, cluster, args, options) => {
    const [file = '', ...all] = commandOf(program, cluster, args);
    return spawn(join(bin, file), all, options as SpawnOptions);
  };

function commandOf(program: Program, cluster: string, args: readonly string[]): readonly string[] {
  return [...program.split(' '), '-D', cluster, ...args];
}

const UNSHARE = ['-U', '--map-user=1', '--map-group=1'];

function namespacesWork(): boolean {
  return spawnSync('unshare', [...UNSHARE, 'true'], { stdio: 'ignore' }).status === 0;
}

/** Root outside without its powers, an ordinary user in its own eyes. The files stay root's. */
function inNamespace(packaged: string): Account {
  const root = { uid: 0, gid: 0 };
  const bin = join(binariesFor(root, packaged), 'bin');
  const run: Account['run'] = (program, cluster, args, options) => {
    const [file = '', ...all] = commandOf(program, cluster, args);
    return spawn('unshare', [...UNSHARE, join(bin, file), ...all], options as SpawnOptions);
  };
  return { kind: 'namespace', own: (path) => ownAll(path, root), run: throughClosedFolders(root, run) };
}

/** The user that owns nothing else. */
function asNobody(packaged: string): Account {
  const nobody = userNobody();
  const run = runIn(join(binariesFor(nobody, packaged), 'bin'));
  return {
    kind: 'nobody',
    own: (path) => ownAll(path, nobody),
    run: throughClosedFolders(nobody, (program, cluster, args, options) =>
      run(program, cluster, args, { ...options, ...nobody }),
    ),
  };
}

/**
 * The way to the data folder may be closed to the account, as under /root. Then the program gets the
 * folder as an open descriptor, and `/proc/self/fd/3` leads into it without walking the path.
 */
function throughClosedFolders(user: User, run: Account['run']): Account['run'] {
  return (program, cluster, args, options) => {
    if (mayEnter(user, join(cluster, '..'))) return run(program, cluster, args, options);
    const folder = openSync(cluster, 'r');
    try {
      const stdio = [...options.stdio, folder];
      return run(program, '/proc/self/fd/3', args, { ...options, stdio });
    } finally {
      closeSync(folder);
    }
  };
}

function userNobody(): User {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = lines.find((line) => line.startsWith('nobody:'))?.split(':') ?? [];
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) };
}

/** Folders after their contents: a folder with the right owner is known to be done. */
function ownAll(path: string, user: User): void {
  const entry = lstatSync(path);
  if (entry.uid === user.uid && entry.gid === user.gid) return;
  if (entry.isDirectory()) for (const name of readdirSync(path)) ownAll(join(path, name), user);
  (entry.isSymbolicLink() ? lchownSync : chownSync)(path, user.uid, user.gid);
}
