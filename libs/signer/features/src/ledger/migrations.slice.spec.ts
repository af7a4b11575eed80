import { startTestPostgres, type TestPostgres } from '@tender/adapter-postgres/testing';
import type { Pool } from 'pg';
import { migrate } from './ledger-database';
import { ledgerPool } from './ledger-pool';
import { MIGRATIONS } from './migrations';

let postgres: TestPostgres;
let pool: Pool;
beforeAll(async () => {
  postgres = await startTestPostgres();
  pool = ledgerPool({ connectionString: await postgres.database() }, () => undefined);
});
afterAll(async () => {
  await pool.end();
  await postgres.stop();
});

/** What was released before credits of settlement wallets counted. */
const BEFORE_CREDITED = 4;

test('in a ledger that was released, each credit had come to the wallet that refunds it', async () => {
  await pool.query('create table migrations (number integer primary key)');
  for (const [at, statements] of MIGRATIONS.slice(0, BEFORE_CREDITED).entries()) {
    await pool.query(statements);
    await pool.query('insert into migrations values ($1)', [at + 1]);
  }
  await pool.query(`
    insert into wallets (address, merchant_id, mode, epoch, roster, sealed_share)
      values ('wallet', 'm', 'test', 1, '{}', '{}');
    insert into operations
      select id, 'wallet', 'digest', 'settled', 'USDC', 1, credit, 1, 1, 's', 1, 'marker', '', 1, 1
      from (values ('refund', 'credit'), ('settlement', null)) as of (id, credit);`);
  await migrate(pool);
  const { rows } = await pool.query('select id, credited_wallet from operations order by id');
  expect(rows).toEqual([
    { id: 'refund', credited_wallet: 'wallet' },
    { id: 'settlement', credited_wallet: null },
  ]);
  const uncounted = `update operations set credited_wallet = null where id = 'refund'`;
  await expect(pool.query(uncounted)).rejects.toThrow('operations_credited');
});
