import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readLogPlace, readLogWriters, type LogPlace } from '@tender/adapter-postgres';
import { programOn } from '@tender/adapter-postgres-server';
import type { Sql } from '@tender/eventing';
import { KNOWN_MIGRATIONS, MIGRATIONS, SCHEMAS } from '../owners';
import type { Places } from '../settings';
import { PROJECTIONS } from '../system';
import { databaseAddress, eventStoreAddress, isSameServer } from './addresses';
import { neighboursOf, type Neighbour } from './neighbours';

export type Run = 'one process' | 'services';

/** The tables of a projection by their numbers. */
export interface Tables {
  readonly projection: string;
  readonly live: number;
  readonly others: readonly { readonly generation: number; readonly state: 'kept' | 'building' }[];
}

/** Which system a command looks at. No password is in it. */
export interface Identity {
  /** Null: nothing shows which of the two it is. */
  readonly run: Run | null;
  /** That are connected to the database now. */
  readonly processes: number;
  /** Of the program that owns the data folder; null where it is on another machine, or killed. */
  readonly pid: number | null;
  readonly data_dir: string;
  readonly database: string;
  readonly database_from: Places['database_from'];
  /** Address of the EventStoreDB; null: the log is in the database. */
  readonly eventstore: string | null;
  /** Of this command. */
  readonly release: string;
  /** Changes of tables that this release has and the database lacks, and the other way round. */
  readonly migrations_missing: number;
  readonly migrations_unknown: number;
  readonly projections: readonly Tables[];
  readonly neighbours: readonly Neighbour[];
}

export async function readIdentity(sql: Sql, places: Places): Promise<Identity> {
  const { data_dir, database_url, database_from, eventstore_url } = places;
  const [{ processes = 0 } = {}] = await sql.query<{ processes: number }>(
    `select count(*)::int as processes from pg_stat_activity
      where application_name = 'tender pulse' and datname = current_database()`,
  );
  return {
    run: await readRun(sql, eventstore_url),
    processes,
    pid: database_from === 'DATA_DIR' ? programOn(data_dir) : null,
    ...{ data_dir, database: databaseAddress(database_url), database_from },
    eventstore: eventstore_url === null ? null : eventStoreAddress(eventstore_url),
    release: releaseOf(),
    ...(await readMigrations(sql)),
    projections: await readTables(sql),
    neighbours: neighboursOf(data_dir, (url) => isSameServer(url, database_url)),
  };
}

/** Of this command. */
export function releaseOf(): string {
  const text = readFileSync(path.resolve(__dirname, '../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** Who writes the log says it; where none does, what the last ones have left. */
export async function readRun(sql: Sql, eventstore_url: string | null): Promise<Run | null> {
  if (eventstore_url !== null) return 'services';
  const writers = await readLogWriters(sql);
  if (writers !== null) return writers === 'alone' ? 'one process' : 'services';
  return runOf(await readLogPlace(sql, SCHEMAS));
}

function runOf({ alone, lanes }: LogPlace): Run | null {
  if (lanes > 0) return 'services';
  return alone > 0 ? 'one process' : null;
}

async function readMigrations(
  sql: Sql,
): Promise<Pick<Identity, 'migrations_missing' | 'migrations_unknown'>> {
  const rows = await sql.query<{ name: string }>('select name from tender_migrations');
  const there = new Set(rows.map(({ name }) => name));
  return {
    migrations_missing: MIGRATIONS.filter(({ name }) => !there.has(name)).length,
    migrations_unknown: [...there].filter((name) => !KNOWN_MIGRATIONS.has(name)).length,
  };
}

interface Row {
  readonly view: string;
  readonly generation: number;
  readonly state: 'live' | 'kept' | 'building';
}

async function readTables(sql: Sql): Promise<readonly Tables[]> {
  const schemas = [...new Set(PROJECTIONS.map(({ schema }) => schema))];
  const rows = await sql.query<Row>(
    schemas
      .map((one) => `select '${one}.' || view as view, generation, state from ${one}.generations`)
      .join(' union all ') + ' order by 1, 2',
  );
  return PROJECTIONS.flatMap(({ projection: { name, table } }) => {
    const its = rows.filter(({ view }) => view === table);
    const live = its.find(({ state }) => state === 'live');
    if (!live) return [];
    const others = its.flatMap(({ generation, state }) =>
      state === 'live' ? [] : [{ generation, state }],
    );
    return { projection: name, live: live.generation, others };
  });
}
