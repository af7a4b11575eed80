import type { ReadModels } from '@tender/eventing';
import {
  CLAIMED_COLUMNS,
  CLAIMED_JOINS,
  claimedOf,
  type ClaimedDelivery,
  type ClaimedRow,
} from '../send-deliveries/claim/claimed-delivery';
import { LEASE_MS } from '../send-deliveries/leases/leases';

// The process that leases the queued row has the delivery. It reads the status once more then: another retry
// may have ended while this one waited for the row.
const CLAIM = `
  with taken as (
    insert into webhook_dispatcher.queued_deliveries as queued
      (delivery_id, endpoint_id, lane, due_at, lease_owner, lease_until)
    select id, $3, 1, $6, $4, $5 from webhook_dispatcher.deliveries
    where id = $1 and status in ('failed', 'exhausted')
    on conflict (delivery_id) do update
      set endpoint_id = excluded.endpoint_id, lease_owner = $4, lease_until = $5
      where queued.lease_owner is null
    returning delivery_id
  ), c as (
    update webhook_dispatcher.deliveries set url = $2, endpoint_id = $3
    from taken where id = delivery_id and status in ('failed', 'exhausted')
    returning deliveries.*
  )
  select ${CLAIMED_COLUMNS} from taken left join c on c.id = taken.delivery_id ${CLAIMED_JOINS}`;

const LET_GO = 'delete from webhook_dispatcher.queued_deliveries where delivery_id = $1';

export interface RetryClaim {
  readonly id: string;
  readonly url: string;
  readonly endpoint_id: string;
  readonly owner: string;
  /** Business time. */
  readonly now: number;
  /** Wall time. */
  readonly wall: number;
}

/** Null when the sender or another retry is attempting it right now, or just has. */
export function claimForRetry(
  readModels: ReadModels,
  claim: RetryClaim,
): Promise<ClaimedDelivery | null> {
  const { id, url, endpoint_id, owner, now, wall } = claim;
  return readModels.transaction(async (tx) => {
    const values = [id, url, endpoint_id, owner, wall + LEASE_MS, now];
    const [row] = await tx.query<ClaimedRow | { readonly id: null }>(CLAIM, values);
    if (!row) return null;
    if (row.id !== null) return claimedOf(row);
    await tx.query(LET_GO, [id]);
    return null;
  });
}
