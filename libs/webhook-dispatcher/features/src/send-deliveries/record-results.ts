import type { Sql } from '@tender/eventing';
import type { AttemptResult } from './attempt-delivery';

// Only the lease's owner writes: whoever lost the lease to somebody else changes nothing. The ids are given
// once more as a list, so that Postgres knows how few they are and goes to them by their key.
const RECORD = `
  with result as (
    select * from jsonb_to_recordset($1::jsonb) as r (id text, status text, attempts integer,
      next_attempt_at bigint, last_attempt_at bigint, response_code integer, response_body text,
      started_at bigint, duration_ms integer, outcome text)
  ), written as (
    update webhook_dispatcher.deliveries delivery set
      status = result.status, attempts = result.attempts, lane = 1,
      next_attempt_at = result.next_attempt_at, due_at = result.next_attempt_at,
      last_attempt_at = coalesce(result.last_attempt_at, delivery.last_attempt_at),
      response_code = result.response_code, response_body = result.response_body,
      lease_owner = null, lease_until = null
    from result
    where delivery.id = any($3::text[]) and delivery.id = result.id and delivery.lease_owner = $2
    returning delivery.id, delivery.endpoint_id, delivery.mode, delivery.merchant_id, delivery.due_at
  ), noted as (
    insert into webhook_dispatcher.attempts
      (delivery_id, attempt, started_at, duration_ms, outcome, status_code)
    select id, attempts, started_at, duration_ms, outcome, response_code
    from result join written using (id) where started_at is not null
  ), queued as (
    insert into webhook_dispatcher.endpoint_queue as queue (endpoint_id, lane, mode, merchant_id, due_at)
    select endpoint_id, 1, mode, merchant_id, min(due_at) from written where due_at is not null
    group by endpoint_id, mode, merchant_id order by endpoint_id
    on conflict (endpoint_id, lane) do update set due_at = least(queue.due_at, excluded.due_at)
  )
  select id from written`;

/** Writes the results of a batch of attempts in one statement. */
export async function recordResults(
  sql: Sql,
  owner: string,
  results: readonly AttemptResult[],
): Promise<void> {
  const rows = results.map(({ attempt, ...result }) => ({ ...result, ...attempt }));
  await sql.query(RECORD, [JSON.stringify(rows), owner, rows.map(({ id }) => id)]);
}
