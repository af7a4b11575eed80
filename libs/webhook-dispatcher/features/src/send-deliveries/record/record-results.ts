import { rowSource, type Sql } from '@tender/eventing';
import type { AttemptResult } from '../attempt/attempt-delivery';

const RESULTS = rowSource({
  id: 'text',
  status: 'text',
  attempts: 'integer',
  next_attempt_at: 'bigint',
  last_attempt_at: 'bigint',
  response_code: 'integer',
  response_body: 'text',
  started_at: 'bigint',
  duration_ms: 'integer',
  outcome: 'text',
  lease_owner: 'text',
});

// Only the lease's owner writes: a sender that has lost its lease to another one changes nothing. `limit 1`
// makes Postgres go to each row by its key, however many it believes there are.
const RECORD = `
  with held as (
    select fresh.* from ${RESULTS.sql} cross join lateral (
      select from webhook_dispatcher.queued_deliveries queued
      where queued.delivery_id = fresh.id and queued.lease_owner = fresh.lease_owner limit 1 for update
    ) mine
  ), over as (
    delete from webhook_dispatcher.queued_deliveries
    where delivery_id = any(array(select id from held where next_attempt_at is null))
  ), again as (
    update webhook_dispatcher.queued_deliveries
    set lane = 1, due_at = next_attempt_at, lease_owner = null, lease_until = null
    from held where delivery_id = id and next_attempt_at is not null
  ), written as (
    update webhook_dispatcher.deliveries delivery set
      status = held.status, attempts = held.attempts, next_attempt_at = held.next_attempt_at,
      last_attempt_at = coalesce(held.last_attempt_at, delivery.last_attempt_at),
      response_code = held.response_code, response_body = held.response_body
    from held where delivery.id = held.id
    returning delivery.endpoint_id, delivery.mode, delivery.merchant_id, held.next_attempt_at as due_at
  ), noted as (
    insert into webhook_dispatcher.attempts
      (delivery_id, attempt, started_at, duration_ms, outcome, status_code)
    select id, attempts, started_at, duration_ms, outcome, response_code
    from held where started_at is not null
  )
  insert into webhook_dispatcher.endpoint_queue as queue (endpoint_id, lane, mode, merchant_id, due_at)
  select endpoint_id, 1, mode, merchant_id, min(due_at) from written where due_at is not null
  group by endpoint_id, mode, merchant_id order by endpoint_id
  on conflict (endpoint_id, lane) do update set due_at = least(queue.due_at, excluded.due_at)`;

/** Writes the results of a batch of attempts in one statement. */
export async function recordResults(
  sql: Sql,
  owner: string,
  results: readonly AttemptResult[],
): Promise<void> {
  const rows = results.map(({ attempt, ...result }) => ({
    ...result,
    started_at: attempt?.started_at,
    duration_ms: attempt?.duration_ms,
    outcome: attempt?.outcome,
    lease_owner: owner,
  }));
  await sql.query(RECORD, RESULTS.valuesOf(rows));
}
