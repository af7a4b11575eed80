import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times: `…_at` and `…_until` are milliseconds; business time except where a comment says wall. */
export class CreateWebhookDispatcher1763700000000 implements MigrationInterface {
  readonly name = 'CreateWebhookDispatcher1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of TABLES) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop table webhook_dispatcher.endpoints, webhook_dispatcher.merchant_cursors,
      webhook_dispatcher.resource_versions, webhook_dispatcher.merchant_events,
      webhook_dispatcher.deliveries, webhook_dispatcher.attempts, webhook_dispatcher.endpoint_queue`);
  }
}

const TABLES = [
  `create table webhook_dispatcher.endpoints (
    mode text not null,
    merchant_id text not null,
    url text,
    secret text,
    previous_secret text,
    previous_until bigint,
    configured boolean not null,
    revision integer not null,
    primary key (mode, merchant_id)
  ) with (fillfactor = 80)`,

  `create table webhook_dispatcher.merchant_cursors (
    mode text not null,
    merchant_id text not null,
    cursor bigint not null,
    primary key (mode, merchant_id)
  ) with (fillfactor = 50)`,

  `create table webhook_dispatcher.resource_versions (
    resource_id text primary key,
    version integer not null
  ) with (fillfactor = 80)`,

  // body: the bytes that every attempt sends and GET /events repeats.
  `create table webhook_dispatcher.merchant_events (
    event_id text primary key,
    mode text not null,
    merchant_id text not null,
    cursor bigint not null,
    event_type text not null,
    body text not null
  )`,
  `create unique index merchant_events_by_cursor
    on webhook_dispatcher.merchant_events (mode, merchant_id, cursor)`,

  // id derives from the event and the URL, so that one event has one delivery per endpoint.
  // lane: 0 first attempts, 1 retries. due_at: null while leased and when nothing is to come.
  // lease_until: wall. body: only where there is no merchant event.
  `create table webhook_dispatcher.deliveries (
    id text primary key,
    mode text not null,
    merchant_id text not null,
    event_id text not null,
    event_type text not null,
    payment_id text,
    resource_id text,
    resource_version integer,
    url text not null,
    own_url boolean not null,
    endpoint_id text not null,
    body text,
    status text not null,
    attempts integer not null,
    lane smallint not null,
    due_at bigint,
    next_attempt_at bigint,
    last_attempt_at bigint,
    response_code integer,
    response_body text,
    lease_owner text,
    lease_until bigint,
    created_at bigint not null
  ) with (fillfactor = 80)`,
  `create index deliveries_of_merchant
    on webhook_dispatcher.deliveries (mode, merchant_id, created_at desc, id desc)`,
  `create index deliveries_due
    on webhook_dispatcher.deliveries (endpoint_id, lane, due_at) where due_at is not null`,
  `create index deliveries_never_tried
    on webhook_dispatcher.deliveries (resource_id, resource_version) where status = 'pending'`,
  `create index deliveries_leased
    on webhook_dispatcher.deliveries (lease_until) where lease_owner is not null`,

  // started_at: wall. outcome: delivered, or what went wrong.
  `create table webhook_dispatcher.attempts (
    delivery_id text not null,
    attempt integer not null,
    started_at bigint not null,
    duration_ms integer not null,
    outcome text not null,
    status_code integer
  )`,
  `create index attempts_of_delivery on webhook_dispatcher.attempts (delivery_id)`,

  // One row per endpoint and lane: a claim costs by the endpoints that are due, not by what they have queued.
  `create table webhook_dispatcher.endpoint_queue (
    endpoint_id text not null,
    lane smallint not null,
    mode text not null,
    merchant_id text not null,
    due_at bigint,
    primary key (endpoint_id, lane)
  ) with (fillfactor = 50)`,
  `create index endpoint_queue_due
    on webhook_dispatcher.endpoint_queue (lane, due_at) where due_at is not null`,
];
