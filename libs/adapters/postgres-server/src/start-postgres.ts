import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import type { Log } from '@tender/eventing';
import { chooseAccount, type Way } from './account';
import { packagedBinaries } from './binaries';
import { DATABASE, ensureCluster, placesIn, USER } from './cluster';
import { stopLeftover } from './leftover';
import { keepServer } from './keep-server';
import { claim } from './owner-file';
import { launch, type ServerWanted } from './server';

export { AlreadyRunning } from './owner-file';

export interface PostgresOptions extends ServerWanted {
  /** The program's data folder; made when it is missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** A server that runs already (DATABASE_URL): none is started then. */
  readonly databaseUrl?: string | undefined;
  /** How a root process gets a server that is not root; for tests of one way. */
  readonly ways?: readonly Way[];
}

export interface RunningPostgres {
  readonly connectionString: string;
  /** Of the process that runs now; null for a server that this program has not started. */
  readonly pid: number | null;
  /** Cuts the connections and ends the server; what was committed is kept. */
  stop(): Promise<void>;
  /** Ends the server as a crash would; what was committed is kept, and a start on the folder finds it. */
  kill(): Promise<void>;
  /** To each process of the server, such as SIGSTOP for one that hangs. Linux only. */
  signal(name: NodeJS.Signals): void;
}

/**
 * Starts the embedded Postgres of the data folder as a child process: on 127.0.0.1 only, with a
 * password, on a port that is chosen now and written to `postgres.port`. A server that ends by
 * itself is started again there. Throws `AlreadyRunning` while a living program owns the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  if (options.databaseUrl) {
    const nothing = () => Promise.resolve();
    const ends = { stop: nothing, kill: nothing, signal: () => undefined };
    return { connectionString: options.databaseUrl, pid: null, ...ends };
  }
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const places = placesIn(dataDir);
  const release = await claim(places.owner, dataDir);
  try {
    const account = chooseAccount(packagedBinaries(), options.ways);
    const password = await ensureCluster(places, account);
    await stopLeftover(places.cluster, dataDir, password);
    const { log } = options;
    const server = await keepServer(
      (port = options.port) => launch(places.cluster, account, log, { ...options, port }),
      log,
    );
    writeFileSync(places.port, `${server.port}\n`);
    return {
      connectionString: `postgres://${USER}:${password}@127.0.0.1:${server.port}/${DATABASE}`,
      get pid() {
        return server.pid();
      },
      async stop() {
        await server.stop();
        release();
      },
      async kill() {
        await server.kill();
        release();
      },
      signal: (name) => server.signal(name),
    };
  } catch (error) {
    release();
    throw error;
  }
}
