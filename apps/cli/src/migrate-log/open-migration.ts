import { existsSync } from 'node:fs';
import path from 'node:path';
import { eventStoreDb } from '@tender/adapter-eventstoredb';
import {
  heldPostgresLog,
  LogIsTaken,
  postgresReadModels,
  type HeldLog,
  type PostgresReadModels,
} from '@tender/adapter-postgres';
import { AlreadyRunning, startPostgres } from '@tender/adapter-postgres-server';
import { systemClock } from '@tender/adapter-system';
import type { EventStore, Log } from '@tender/eventing';
import { CommandFault } from '../faults';
import { MIGRATIONS, SCHEMAS } from '../owners';
import { readDatabaseUrl, readDataDir } from '../settings';

const POOL_MAX = 4;
const END_IT = 'End it first, then run this again; no log is moved while a program writes it.';

type Closer = () => Promise<unknown>;

/** The database of a program that has ended. */
export interface EndedProgram {
  readonly readModels: PostgresReadModels;
  /** Null where DATABASE_URL names another server. */
  readonly data_dir: string | null;
  /** No program writes the log from now on; throws `CommandFault` while one does. */
  hold(): Promise<HeldLog>;
  close(): Promise<void>;
}

/** Starts the Postgres of DATA_DIR, unless DATABASE_URL names another. Changes nothing in it but whose it is. */
export async function openEndedProgram(env: NodeJS.ProcessEnv, told: Log): Promise<EndedProgram> {
  const closers: Closer[] = [];
  let closing = false;
  // A server that stops cuts connections that are about to end anyway.
  const log: Log = {
    info: () => undefined,
    warn: (fields, message) => void (closing || told.warn(fields, message)),
    error: (fields, message) => void (closing || told.error(fields, message)),
  };
  const close = async (): Promise<void> => {
    closing = true;
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    const given = readDatabaseUrl(env);
    const data_dir = given === null ? readDataDir(env) : null;
    const connectionString = given ?? (await ownPostgres(data_dir as string, log, closers));
    const readModels = postgresReadModels({
      ...{ connectionString, log, pool_max: POOL_MAX },
      ...{ schemas: SCHEMAS, migrations: MIGRATIONS },
    });
    closers.push(() => readModels.close());
    const hold = async (): Promise<HeldLog> => {
      const held = heldPostgresLog({ connectionString, clock: systemClock(), log });
      closers.push(() => held.close());
      await held.start().catch((error: unknown) => {
        throw error instanceof LogIsTaken ? new CommandFault(`${error.message}. ${END_IT}`) : error;
      });
      return held;
    };
    return { readModels, data_dir, hold, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function ownPostgres(dataDir: string, log: Log, closers: Closer[]): Promise<string> {
  if (!existsSync(path.join(dataDir, 'postgres'))) {
    throw new CommandFault(
      `The data folder ${dataDir} holds no Postgres. Name the DATA_DIR of the program that ran alone, or ` +
        'give DATABASE_URL.',
    );
  }
  const postgres = await startPostgres({ dataDir, log }).catch((error: unknown) => {
    throw error instanceof AlreadyRunning ? new CommandFault(`${error.message}. ${END_IT}`) : error;
  });
  closers.push(() => postgres.stop());
  return postgres.connectionString;
}

export type Target = EventStore & { close(): Promise<void> };

/** The EventStoreDB that the log goes to. */
export async function openTarget(connectionString: string, log: Log): Promise<Target> {
  if (!/^(esdb|kurrentdb)(\+discover)?:\/\//.test(connectionString)) {
    throw new CommandFault('EVENTSTORE_URL is not a URL that begins with esdb:// or kurrentdb://.');
  }
  const store = eventStoreDb({ connectionString, clock: systemClock(), log });
  try {
    await store.start();
    return store;
  } catch (error) {
    await store.close();
    throw new CommandFault(
      `The event store does not answer (${(error as Error).message}). Check EVENTSTORE_URL and the server.`,
    );
  }
}
