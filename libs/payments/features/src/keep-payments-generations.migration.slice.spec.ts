import { silentLog } from '@tender/adapter-memory';
import { postgresReadModels } from '@tender/adapter-postgres';
import { startTestPostgres, undoLastMigration } from '@tender/adapter-postgres/testing';
import { CreatePayments1763700000000 } from './create-payments.migration';
import { KeepPaymentsGenerations1764000000000 } from './keep-payments-generations.migration';

test('the table that an older release has folded is the first generation, and its checkpoints stay', async () => {
  const server = await startTestPostgres();
  const connectionString = await server.database();
  const open = async (...migrations: (new () => unknown)[]) => {
    const log = silentLog;
    const schemas = ['payments'];
    const readModels = postgresReadModels({ connectionString, schemas, migrations, log });
    await readModels.start();
    return readModels;
  };
  const follower = 'payments.payment-details@1:test';
  const before = await open(CreatePayments1763700000000);
  await before.transaction(async (tx) => {
    await tx.query(
      `insert into payments.payment_details values ('p1', '{}', '7', 'm1', 'test', '2026-01-01')`,
    );
    await before.saveCheckpoint(tx, 'payments', follower, '7');
  });
  await before.close();

  const migrations = [CreatePayments1763700000000, KeepPaymentsGenerations1764000000000];
  const after = await open(...migrations);
  for (const table of ['payment_details', 'payment_details_g1']) {
    expect(await after.query(`select id, position from payments.${table}`)).toEqual([
      { id: 'p1', position: '7' },
    ]);
  }
  expect(await after.checkpoint('payments', follower)).toBe('7');
  expect(await after.query('select view, generation, state from payments.generations order by view')).toEqual([
    { view: 'payment_details', generation: 1, state: 'live' },
    { view: 'receipts', generation: 1, state: 'live' },
  ]);
  await undoLastMigration({ connectionString, migrations });
  expect(await after.query('select id from payments.payment_details')).toEqual([{ id: 'p1' }]);
  expect(await after.query('select 1 from payments.generations')).toEqual([]);
  await after.close();
  await server.stop();
});
