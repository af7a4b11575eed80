import { silentLog } from '@tender/adapter-memory';
import { postgresReadModels } from '@tender/adapter-postgres';
import { startTestPostgres, undoLastMigration } from '@tender/adapter-postgres/testing';
import { CreatePaymentLinks1764500000000 } from './create-payment-links.migration';
import { CreatePayments1763700000000 } from './create-payments.migration';
import { KeepPaymentsGenerations1764000000000 } from './keep-payments-generations.migration';

const BEFORE = [CreatePayments1763700000000, KeepPaymentsGenerations1764000000000];

test('every table of payments can be searched by external id, also one that was rebuilt', async () => {
  const server = await startTestPostgres();
  const connectionString = await server.database();
  const open = async (migrations: (new () => unknown)[]) => {
    const [log, schemas] = [silentLog, ['payments']];
    const readModels = postgresReadModels({ connectionString, schemas, migrations, log });
    await readModels.start();
    return readModels;
  };
  const before = await open(BEFORE);
  await before.query(
    'create table payments.payment_details_g3 (like payments.payment_details_g1)',
  );
  await before.query(
    `insert into payments.generations (view, generation, state)
      values ('payment_details', 3, 'kept')`,
  );
  await before.query(
    `insert into payments.payment_details_g1
      values ('p1', '{"terms": {}}', '7', 'm1', 'test', '2026-01-01')`,
  );
  await before.close();

  const migrations = [...BEFORE, CreatePaymentLinks1764500000000];
  const after = await open(migrations);
  const indexes = () =>
    after.query(`select tablename, indexname from pg_indexes
      where indexname like 'payment_details_by_external_id%' order by indexname`);
  expect(await indexes()).toEqual([
    { tablename: 'payment_details_g1', indexname: 'payment_details_by_external_id_g1' },
    { tablename: 'payment_details_g3', indexname: 'payment_details_by_external_id_g3' },
  ]);
  expect(await after.query('select id from payments.payment_links')).toEqual([]);
  expect(await after.query('select id, uses from payments.link_uses')).toEqual([]);
  await undoLastMigration({ connectionString, migrations });
  expect(await indexes()).toEqual([]);
  expect(await after.query('select id from payments.payment_details')).toEqual([{ id: 'p1' }]);
  await after.close();
  await server.stop();
});
