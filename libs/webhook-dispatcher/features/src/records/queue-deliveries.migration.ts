import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is due or under way moves out of the records into narrow rows of its own: they are written twice per
 * attempt and then deleted, the wide record is written once and keeps its place in its indexes.
 */
export class QueueDeliveries1763800000000 implements MigrationInterface {
  readonly name = 'QueueDeliveries1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const UP = [
  // lane: 0 until the first attempt has ended, then 1. lease_until: wall.
  `create table webhook_dispatcher.queued_deliveries (
    delivery_id text primary key,
    endpoint_id text not null,
    lane smallint not null,
    due_at bigint not null,
    resource_id text,
    resource_version integer,
    lease_owner text,
    lease_until bigint
  ) with (fillfactor = 80)`,
  `insert into webhook_dispatcher.queued_deliveries
    select id, endpoint_id, lane, coalesce(due_at, next_attempt_at, created_at), resource_id,
      resource_version, lease_owner, lease_until
    from webhook_dispatcher.deliveries where due_at is not null or lease_owner is not null`,
  `create index queued_due on webhook_dispatcher.queued_deliveries (endpoint_id, lane, due_at)
    where lease_owner is null`,
  `create index queued_never_tried
    on webhook_dispatcher.queued_deliveries (resource_id, resource_version) where lane = 0`,
  `create index queued_leased on webhook_dispatcher.queued_deliveries (lease_until)
    where lease_owner is not null`,
  `drop index webhook_dispatcher.deliveries_never_tried`,
  `alter table webhook_dispatcher.deliveries
    drop column lane, drop column due_at, drop column lease_owner, drop column lease_until`,
  // Room for the one update in the same page: then no index is touched.
  `alter table webhook_dispatcher.deliveries set (fillfactor = 50)`,
];

const DOWN = [
  `alter table webhook_dispatcher.deliveries
    add column lane smallint not null default 1, add column due_at bigint,
    add column lease_owner text, add column lease_until bigint, alter column lane drop default`,
  `alter table webhook_dispatcher.deliveries set (fillfactor = 80)`,
  `update webhook_dispatcher.deliveries set lane = queued.lane, due_at = queued.due_at
    from webhook_dispatcher.queued_deliveries queued where queued.delivery_id = id`,
  `drop table webhook_dispatcher.queued_deliveries`,
  `create index deliveries_due
    on webhook_dispatcher.deliveries (endpoint_id, lane, due_at) where due_at is not null`,
  `create index deliveries_never_tried
    on webhook_dispatcher.deliveries (resource_id, resource_version) where status = 'pending'`,
  `create index deliveries_leased
    on webhook_dispatcher.deliveries (lease_until) where lease_owner is not null`,
];
