import * as pg from 'pg';
import type { DataSource, MigrationInterface } from 'typeorm';
import { FIRST_CONNECT_MS, PLANNING } from './table-pool';

const TABLE = 'tender_migrations';

export interface Migrations {
  readonly connectionString: string;
  /** TypeORM migration classes; each runs once, in the order of the time in its name. */
  readonly migrations: readonly (new () => unknown)[];
}

/**
 * Runs what migrations are due, over a connection of its own, while `client` holds the lock that keeps others out.
 * TypeORM is loaded only where one is due: it takes 9 MB and a tenth of a second, which a process that starts again is
 * spared.
 */
export async function runMigrations(client: pg.ClientBase, options: Migrations): Promise<void> {
  const done = await namesOfDone(client);
  if (options.migrations.every((migration) => done.has(nameOf(migration)))) return;
  const migrator = await openMigrator(options);
  try {
    await migrator.runMigrations({ transaction: 'each' });
  } finally {
    await migrator.destroy();
  }
}

/** TypeORM on these tables, until it is destroyed. */
export async function openMigrator(options: Migrations): Promise<DataSource> {
  const { DataSource } = await import('typeorm');
  const migrator = new DataSource({
    type: 'postgres',
    // Looked up by TypeORM, it would be a second copy beside the bundle's, whose errors nothing here recognises.
    driver: pg,
    migrations: [...options.migrations] as (new () => MigrationInterface)[],
    migrationsTableName: TABLE,
    applicationName: 'tender migrations',
    connectTimeoutMS: FIRST_CONNECT_MS,
    poolSize: 1,
    // The driver reads the address: TypeORM refuses passwords that the driver takes.
    extra: { connectionString: options.connectionString, options: PLANNING },
  });
  return migrator.initialize();
}

async function namesOfDone(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows: tables } = await client.query('select to_regclass($1) as found', [TABLE]);
  if (tables[0].found === null) return new Set();
  const { rows } = await client.query<{ name: string }>(`select name from ${TABLE}`);
  return new Set(rows.map(({ name }) => name));
}

/** As TypeORM keeps it. */
const nameOf = (migration: new () => unknown): string =>
  (new migration() as MigrationInterface).name ?? migration.name;
