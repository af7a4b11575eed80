import { silentLog } from '@tender/adapter-memory';
import { postgresReadModels } from '@tender/adapter-postgres';
import { startTestPostgres } from '@tender/adapter-postgres/testing';
import { CreateWebhookDispatcher1763700000000 } from './create-webhook-dispatcher.migration';
import { QueueDeliveries1763800000000 } from './queue-deliveries.migration';

test('what was due or under way before is in the queue after, and what was over is not', async () => {
  const server = await startTestPostgres();
  const connectionString = await server.database();
  const open = async (...migrations: (new () => unknown)[]) => {
    const schemas = ['webhook_dispatcher'];
    const log = silentLog;
    const readModels = postgresReadModels({ connectionString, schemas, migrations, log });
    await readModels.start();
    return readModels;
  };
  const before = await open(CreateWebhookDispatcher1763700000000);
  await before.query(
    `insert into webhook_dispatcher.deliveries (id, mode, merchant_id, event_id, event_type, resource_id,
      resource_version, url, own_url, endpoint_id, status, attempts, lane, due_at, next_attempt_at,
      lease_owner, lease_until, created_at)
     select id, 'test', 'm1', id, 'PaymentCreated', 'pay', 1, 'u', false, 'e1', status, attempts, lane,
      due_at, next_attempt_at, lease_owner, lease_until, 5
     from (values ('due', 'pending', 0, 0, 10, null, null, null), ('leased', 'pending', 0, 0, null, null, 'o', 9),
      ('retried', 'failed', 1, 1, null, 30, 'o', 9), ('over', 'delivered', 1, 1, null, null, null, null))
      as old (id, status, attempts, lane, due_at, next_attempt_at, lease_owner, lease_until)`,
  );
  await before.close();

  const after = await open(CreateWebhookDispatcher1763700000000, QueueDeliveries1763800000000);
  const rows = await after.query(
    `select delivery_id, lane, due_at::int as due_at, lease_owner, lease_until::int as lease_until
     from webhook_dispatcher.queued_deliveries order by delivery_id`,
  );
  expect(rows).toEqual([
    { delivery_id: 'due', lane: 0, due_at: 10, lease_owner: null, lease_until: null },
    { delivery_id: 'leased', lane: 0, due_at: 5, lease_owner: 'o', lease_until: 9 },
    { delivery_id: 'retried', lane: 1, due_at: 30, lease_owner: 'o', lease_until: 9 },
  ]);
  await after.close();
  await server.stop();
});
