import { LOCK_CLASS, MIGRATION_LOCK } from '../log/log-locks';
import { serviceSchema } from './service-schema';
import type { TablePool } from './table-pool';

/** Connects, makes the schemas and runs what migrations are due; one process of several at a time. */
export async function prepareTables(tables: TablePool, schemas: readonly string[]): Promise<void> {
  await tables.dataSource.initialize();
  // From here on connections can be cut off. The one that TypeORM has made before cannot: it goes with the lock.
  const { pool } = tables.connections;
  const client = await pool.connect();
  try {
    await client.query(`select pg_advisory_lock(${LOCK_CLASS}, ${MIGRATION_LOCK})`);
    for (const schema of schemas) await client.query(serviceSchema(schema));
    await tables.dataSource.runMigrations({ transaction: 'each' });
    tables.started();
  } finally {
    // With its connection the lock goes too.
    client.release(true);
  }
}
