import type { Sql } from '@tender/eventing';
import {
  CLAIMED_COLUMNS,
  CLAIMED_JOINS,
  claimedOf,
  LEASE_MS,
  type ClaimedDelivery,
  type ClaimedRow,
} from '../send-deliveries/claim-deliveries';

const CLAIM = `
  with c as (
    update webhook_dispatcher.deliveries
    set url = $2, endpoint_id = $3, due_at = null, lease_owner = $4, lease_until = $5
    where id = $1 and status in ('failed', 'exhausted') and lease_owner is null
    returning *
  )
  select ${CLAIMED_COLUMNS} from c ${CLAIMED_JOINS}`;

export interface RetryClaim {
  readonly id: string;
  readonly url: string;
  readonly endpoint_id: string;
  readonly owner: string;
  /** Wall time. */
  readonly wall: number;
}

/** Null when somebody else is attempting it right now, or just has. */
export async function claimForRetry(sql: Sql, claim: RetryClaim): Promise<ClaimedDelivery | null> {
  const { id, url, endpoint_id, owner, wall } = claim;
  const [row] = await sql.query<ClaimedRow>(CLAIM, [id, url, endpoint_id, owner, wall + LEASE_MS]);
  return row ? claimedOf(row) : null;
}
