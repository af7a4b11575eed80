import type { Pool, PoolClient } from 'pg';
import { MIGRATIONS } from './migrations';

/** Of this program’s own locks in its own database. */
const MIGRATING = 7_415_001;

export type Tx = Pick<PoolClient, 'query'>;

/** One transaction; what it changed is on the disk when this resolves. */
export async function transaction<Result>(
  pool: Pool,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  try {
    // Whatever the server’s default is: a burned nonce that a crash forgets could be used again.
    await client.query('begin; set local synchronous_commit = on');
    const result = await work(client);
    await client.query('commit');
    client.release();
    return result;
  } catch (error) {
    // Closed, not given back: where the transaction stands is unknown.
    client.release(true);
    throw error;
  }
}

/** Brings the tables to the newest form. */
export const migrate = (pool: Pool): Promise<void> =>
  transaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock($1)', [MIGRATING]);
    await tx.query('create table if not exists migrations (number integer primary key)');
    const { rows } = await tx.query<{ number: number }>('select number from migrations');
    const done = new Set(rows.map(({ number }) => number));
    for (const [at, statements] of MIGRATIONS.entries()) {
      if (done.has(at + 1)) continue;
      await tx.query(statements);
      await tx.query('insert into migrations values ($1)', [at + 1]);
    }
  });
