import { LOCK_CLASS, MIGRATION_LOCK } from '../log/log-locks';
import { serviceSchema } from './service-schema';
import { runMigrations, type Migrations } from './run-migrations';
import type { TablePool } from './table-pool';

export interface TablesToPrepare extends Migrations {
  /** One per service; each gets `checkpoints` and `parked`. */
  readonly schemas: readonly string[];
}

/** Makes the schemas and runs what migrations are due; one process of several at a time. */
export async function prepareTables(
  tables: TablePool,
  { schemas, ...migrations }: TablesToPrepare,
): Promise<void> {
  const client = await tables.pool.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK_CLASS}, ${MIGRATION_LOCK})`);
    for (const schema of schemas) await client.query(serviceSchema(schema));
    await runMigrations(client, migrations);
    tables.started();
  } finally {
    // With its connection the lock goes too.
    client.release(true);
  }
}
