import { keyRingTables, postgresReadModels, ratesTables } from '@tender/adapter-postgres';
import { COMPOSITION } from '@tender/composition';
import { gatewayTables } from '@tender/edge';
import { silentLog, startTestPostgres } from '@tender/adapter-postgres/testing';

const OWNERS = [
  ...[keyRingTables, ratesTables, gatewayTables],
  ...Object.values(COMPOSITION),
];

// `tender ops migrate-log` finds by this rule what it must translate when the log moves.
test('a position of the log is kept in a text column called position, and nowhere else', async () => {
  const server = await startTestPostgres();
  const readModels = postgresReadModels({
    connectionString: await server.database(),
    schemas: OWNERS.map(({ schema }) => schema),
    migrations: OWNERS.flatMap(({ migrations }) => migrations),
    log: silentLog,
  });
  await readModels.start();
  const columns = await readModels.query<{ place: string; name: string; type: string }>(
    `select table_schema || '.' || table_name as place, column_name as name, data_type as type
      from information_schema.columns where column_name like '%position%' and table_schema = any($1)`,
    [OWNERS.map(({ schema }) => schema)],
  );
  await readModels.close();
  await server.stop();
  expect(columns.filter(({ name, type }) => name !== 'position' || type !== 'text')).toEqual([]);
  const places = columns.map(({ place }) => place);
  expect(places).toContain('accounts.merchants');
  expect(places).toContain('payments.payment_details');
  expect(places).toContain('payments.checkpoints');
  expect(places).toContain('webhook_dispatcher.parked');
});
