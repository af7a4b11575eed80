import type { Mode } from '@tender/kernel';
import type { Endpoint } from '@tender/webhook-dispatcher-domain';

/** A delivery that this process may attempt until its lease ends. */
export interface ClaimedDelivery {
  readonly id: string;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly event_type: string;
  readonly url: string;
  /** The payment's own URL: it is sent to even while the merchant's own delivery is off. */
  readonly own_url: boolean;
  readonly endpoint_id: string;
  /** Attempts that have ended. */
  readonly attempts: number;
  readonly body: string;
  /** Null for what was planned before this was kept. */
  readonly correlation_id: string | null;
  /** Business time (ms) of the plan. */
  readonly created_at: number;
  readonly endpoint: Pick<Endpoint, 'url' | 'secret' | 'previous'>;
}

/** The columns of a claimed delivery `c`, its body and the endpoint's secrets. */
export const CLAIMED_COLUMNS = `
  c.id, c.mode, c.merchant_id, c.event_type, c.url, c.own_url, c.endpoint_id, c.attempts,
  coalesce(c.body, e.body) as body, c.correlation_id, c.created_at::float8 as created_at, p.url as endpoint_url, p.secret, p.previous_secret,
  p.previous_until::float8 as previous_until`;
export const CLAIMED_JOINS = `
  left join webhook_dispatcher.merchant_events e on e.event_id = c.event_id
  left join webhook_dispatcher.endpoints p on p.mode = c.mode and p.merchant_id = c.merchant_id`;

/** A row of `CLAIMED_COLUMNS`. */
export interface ClaimedRow extends Omit<ClaimedDelivery, 'endpoint'> {
  readonly endpoint_url: string | null;
  readonly secret: string | null;
  readonly previous_secret: string | null;
  readonly previous_until: number | null;
}

export function claimedOf(row: ClaimedRow): ClaimedDelivery {
  const { endpoint_url: url, secret, previous_secret, previous_until, ...delivery } = row;
  const previous =
    previous_secret !== null && previous_until !== null
      ? { secret: previous_secret, until: previous_until }
      : null;
  return { ...delivery, endpoint: { url, secret, previous } };
}
