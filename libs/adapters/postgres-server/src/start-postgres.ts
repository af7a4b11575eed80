import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import type { Log } from '@tender/eventing';
import { chooseAccount, type Way } from './account';
import { packagedBinaries } from './binaries';
import { DATABASE, ensureCluster, placesIn, USER } from './cluster';
import { stopLeftover } from './leftover';
import { claim } from './owner-file';
import { launch, type ServerWanted } from './server';

export { AlreadyRunning } from './owner-file';

export interface PostgresOptions extends ServerWanted {
  /** The program's data folder; made when it is missing. */
  readonly dataDir: string;
  readonly log: Log;
  /** A server of somebody else (DATABASE_URL): nothing is started then. */
  readonly databaseUrl?: string | undefined;
  /** How a root process gets a server that is not root; for tests of one way. */
  readonly ways?: readonly Way[];
}

export interface RunningPostgres {
  readonly connectionString: string;
  /** Cuts the connections and ends the server; what was committed is kept. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded Postgres of the data folder as a child process: on 127.0.0.1 only, with a
 * password, on a port that is chosen now and written to `postgres.port` (settled 29, 30). Throws
 * `AlreadyRunning` while a living program owns the folder.
 */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  if (options.databaseUrl) {
    return { connectionString: options.databaseUrl, stop: async () => undefined };
  }
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = realpathSync(options.dataDir);
  const places = placesIn(dataDir);
  const release = await claim(places.owner, dataDir);
  try {
    const account = chooseAccount(packagedBinaries(), options.ways);
    const password = await ensureCluster(places, account);
    await stopLeftover(places.cluster, dataDir, password);
    const server = await launch(places.cluster, account, options.log, options);
    writeFileSync(places.port, `${server.port}\n`);
    return {
      connectionString: `postgres://${USER}:${password}@127.0.0.1:${server.port}/${DATABASE}`,
      async stop() {
        await server.stop();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
