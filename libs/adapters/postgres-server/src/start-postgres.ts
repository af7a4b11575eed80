import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import type { Keep, Log } from '@tender/eventing';
import { chooseAccount, type Way } from './account';
import { packagedBinaries } from './binaries';
import { ensureCluster, placesIn } from './cluster';
import { stopLeftover } from './leftover';
import { claim } from './owner-file';
import { connectionString, PROGRAM } from './roles';
import { launch, type Server, type ServerWanted } from './server';
import { settleRoles, type RolesWanted } from './settle-roles';

export { AlreadyRunning } from './owner-file';
export type { Signer } from './roles';

export interface PostgresOptions extends ServerWanted, RolesWanted {
  /** The program's data folder; made when it is missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** A server that runs already (DATABASE_URL): none is started then, and its roles are its operator's. */
  readonly databaseUrl?: string | undefined;
  /** How a root process gets a server that is not root; for tests of one way. */
  readonly ways?: readonly Way[];
  /** Starts it again at its port when it ends by itself; without it the server is started once. */
  readonly keep?: Keep;
}

export interface RunningPostgres {
  /** Of the program's role, which owns its database and is no superuser. */
  readonly connectionString: string;
  /** Of the process that runs now; null for a server that this program has not started. */
  readonly pid: number | null;
  /** After `stop` or `kill`, at the same port. */
  start(): Promise<void>;
  /** Cuts the connections and ends the server; what was committed is kept. */
  stop(): Promise<void>;
  /** Ends the server as a crash would; what was committed is kept, and a start on the folder finds it. */
  kill(): Promise<void>;
  /** To each process of the server, such as SIGSTOP for one that hangs. Linux only. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts the embedded Postgres of the data folder as a child process: on 127.0.0.1 only, with a
 * password, on a port that is chosen now and written to `postgres.port`. Throws `AlreadyRunning` while a
 * living program owns the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  if (options.databaseUrl) {
    const nothing = () => Promise.resolve();
    const ends = { start: nothing, stop: nothing, kill: nothing, signal: () => undefined };
    return { connectionString: options.databaseUrl, pid: null, ...ends };
  }
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const places = placesIn(dataDir);
  let release = await claim(places.owner, dataDir);
  try {
    const account = chooseAccount(packagedBinaries(), options.ways);
    const password = await ensureCluster(places, account, options);
    await stopLeftover(places.cluster, dataDir, password);
    await settleRoles(account, places.cluster, password, options);
    const { log, keep = once } = options;
    const server = await keep('postgres', (last: Server | null) =>
      launch(places.cluster, account, log, { ...options, port: last?.port ?? options.port }),
    );
    const { port } = server.current;
    writeFileSync(places.port, `${port}\n`);
    return {
      connectionString: connectionString(PROGRAM, password, port),
      get pid() {
        return server.current.pid;
      },
      async start() {
        release = await claim(places.owner, dataDir);
        await server.start();
      },
      async stop() {
        await server.stop();
        release();
      },
      async kill() {
        await server.kill();
        release();
      },
      signal: (name) => server.current.signal(name),
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** A server that nothing starts again. */
const once: Keep = async (_, start) => {
  let current = await start(null);
  return {
    get current() {
      return current;
    },
    async start() {
      current = await start(current);
    },
    stop: () => current.stop(),
    kill: () => current.kill(),
  };
};
