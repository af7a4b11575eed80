import { silentLog } from '@tender/adapter-memory';
import { postgresReadModels } from '@tender/adapter-postgres';
import { startTestPostgres, undoLastMigration } from '@tender/adapter-postgres/testing';
import { paymentsContext } from './payments.context';

const [create, generations, resolved] = paymentsContext.migrations;

test('receipts of before are unresolved, in every table that is followed and in the view', async () => {
  const server = await startTestPostgres();
  const connectionString = await server.database();
  const open = async (migrations: typeof paymentsContext.migrations) => {
    const readModels = postgresReadModels({
      ...{ connectionString, schemas: ['payments'], migrations, log: silentLog },
    });
    await readModels.start();
    return readModels;
  };
  const before = await open([create, generations] as never);
  // A replay has put a second table behind the view; the first is followed still.
  for (const statement of [
    'create table payments.receipts_g2 (like payments.receipts_g1 including all)',
    `insert into payments.receipts_g2 values ('r1', '{}', '7', 'm1', 'test', null, 'short', '2026-01-01')`,
    `update payments.generations set state = 'kept' where view = 'receipts'`,
    `insert into payments.generations (view, generation, state) values ('receipts', 2, 'live')`,
    'create or replace view payments.receipts as select * from payments.receipts_g2',
  ]) {
    await before.query(statement);
  }
  await before.close();

  const migrations = [create, generations, resolved] as never;
  const after = await open(migrations);
  for (const table of ['receipts', 'receipts_g2']) {
    expect(await after.query(`select id, resolved from payments.${table}`)).toEqual([
      { id: 'r1', resolved: false },
    ]);
  }
  expect(await after.query('select resolved from payments.receipts_g1')).toEqual([]);
  await undoLastMigration({ connectionString, migrations });
  expect(await after.query('select * from payments.receipts')).not.toHaveProperty('0.resolved');
  expect(await after.query('select id from payments.receipts')).toEqual([{ id: 'r1' }]);
  await after.close();
  await server.stop();
});
