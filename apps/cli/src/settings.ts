import path from 'node:path';
import { runningPostgres } from '@tender/adapter-postgres-server';
import { CommandFault } from './faults';
import { lifeOf, neighboursOf } from './identity/neighbours';

/** Where the tables are, and the log. */
export interface Places {
  readonly database_url: string;
  /** Which setting led there. */
  readonly database_from: 'DATABASE_URL' | 'DATA_DIR';
  /** Null: the log is in the same Postgres. */
  readonly eventstore_url: string | null;
  /** Its keys are those of the services; its Postgres only where DATABASE_URL names no other. */
  readonly data_dir: string;
}

/** The settings of the services; without any, the program that runs on DATA_DIR. */
export function readPlaces(env: NodeJS.ProcessEnv): Places {
  const eventstore_url = env.EVENTSTORE_URL || null;
  const given = readDatabaseUrl(env);
  const data_dir = readDataDir(env);
  const places = { eventstore_url, data_dir };
  if (given !== null) return { database_url: given, database_from: 'DATABASE_URL', ...places };
  const database_url = runningPostgres(data_dir);
  if (database_url) return { database_url, database_from: 'DATA_DIR', ...places };
  throw new CommandFault(
    `Nothing runs on the data folder ${data_dir}${othersThan(data_dir)}. Start the program (npm start), ` +
      'name its DATA_DIR, or give DATABASE_URL.',
  );
}

function othersThan(data_dir: string): string {
  const others = neighboursOf(data_dir, () => false);
  if (others.length === 0) return '';
  const named = others.map((one) => `DATA_DIR=${one.data_dir} (${lifeOf(one)})`);
  return `; beside it a system runs on ${named.join(', and one on ')}`;
}

export const readDataDir = (env: NodeJS.ProcessEnv): string => path.resolve(env.DATA_DIR || '.data');

/** Null when it is not set. */
export function readDatabaseUrl({ DATABASE_URL: given }: NodeJS.ProcessEnv): string | null {
  if (!given) return null;
  if (isDatabaseUrl(given)) return given;
  throw new CommandFault(
    'DATABASE_URL is not a URL that begins with postgres:// or postgresql://, its user, password and database ' +
      'percent-encoded (% itself is %25).',
  );
}

function isDatabaseUrl(given: string): boolean {
  try {
    const { protocol, username, password, pathname } = new URL(given);
    // They are decoded to log in.
    for (const part of [username, password, pathname]) decodeURIComponent(part);
    return /^postgres(ql)?:$/.test(protocol);
  } catch {
    return false;
  }
}
