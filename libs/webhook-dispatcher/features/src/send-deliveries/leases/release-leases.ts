import type { Sql } from '@tender/eventing';

const releaseStatement = (condition: string): string => `
  with released as (
    update webhook_dispatcher.queued_deliveries queued set lease_owner = null, lease_until = null
    from webhook_dispatcher.deliveries delivery
    where lease_owner is not null and ${condition} and delivery.id = queued.delivery_id
    returning queued.endpoint_id, lane, mode, merchant_id, due_at
  )
  insert into webhook_dispatcher.endpoint_queue as queue (endpoint_id, lane, mode, merchant_id, due_at)
  select endpoint_id, lane, mode, merchant_id, min(due_at) from released
  group by endpoint_id, lane, mode, merchant_id order by endpoint_id, lane
  on conflict (endpoint_id, lane) do update set due_at = least(queue.due_at, excluded.due_at)
  returning lane`;

const RELEASE_EXPIRED = releaseStatement('lease_until < $1');
const RELEASE_OWNED = releaseStatement('lease_owner = any($1)');
const RELEASE_THESE = releaseStatement('lease_owner = $1 and delivery_id = any($2)');

/** Gives back what its owner did not finish in time; false when there was nothing. `wall` in milliseconds. */
export async function releaseExpired(sql: Sql, wall: number): Promise<boolean> {
  return (await sql.query(RELEASE_EXPIRED, [wall])).length > 0;
}

/** Gives back what these owners hold: their processes are gone, or stop. */
export async function releaseOwned(sql: Sql, owners: readonly string[]): Promise<void> {
  if (owners.length > 0) await sql.query(RELEASE_OWNED, [owners]);
}

/** Gives back what its owner has claimed and did not attempt. */
export async function releaseUnattempted(
  sql: Sql,
  owner: string,
  ids: readonly string[],
): Promise<void> {
  await sql.query(RELEASE_THESE, [owner, ids]);
}

const OWNERS = `
  select distinct lease_owner as owner from webhook_dispatcher.queued_deliveries
  where lease_owner is not null`;

export async function leaseOwners(sql: Sql): Promise<string[]> {
  return (await sql.query<{ owner: string }>(OWNERS)).map(({ owner }) => owner);
}
