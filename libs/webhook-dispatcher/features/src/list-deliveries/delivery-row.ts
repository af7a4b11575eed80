import type { WebhookDelivery } from '@tender/contracts';
import { storedJson, type Runtime, type Sql } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import type { DeliveryStatus } from '@tender/webhook-dispatcher-domain';
import type { MerchantInMode } from '../merchant-in-mode';
import { openedBody } from '../opened-body';

/** A delivery as it is stored, with its frozen body. */
export interface DeliveryRow {
  readonly id: string;
  readonly payment_id: string | null;
  readonly merchant_id: string;
  readonly event_type: string;
  readonly body: string;
  readonly url: string;
  readonly own_url: boolean;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly last_attempt_at: number | null;
  readonly next_attempt_at: number | null;
  readonly response_code: number | null;
  readonly response_body: string | null;
  readonly created_at: number;
}

/** With their bodies: most deliveries share theirs with the event of the log. */
export const DELIVERIES = `(
  select d.id, d.mode, d.payment_id, d.merchant_id, d.event_type, coalesce(d.body, e.body) as body, d.url,
    d.own_url, d.status, d.attempts, d.last_attempt_at::float8 as last_attempt_at,
    d.next_attempt_at::float8 as next_attempt_at, d.response_code, d.response_body,
    d.created_at::float8 as created_at, d.created_at as indexed_at
  from webhook_dispatcher.deliveries d
  left join webhook_dispatcher.merchant_events e on e.event_id = d.event_id)`;

/** Null: absent, another merchant's, or of the other mode. */
export async function readDelivery(
  sql: Sql,
  { mode, merchant_id }: MerchantInMode,
  id: string,
): Promise<DeliveryRow | null> {
  const [row] = await sql.query<DeliveryRow>(
    `select * from ${DELIVERIES} as delivery where mode = $1 and merchant_id = $2 and id = $3`,
    [mode, merchant_id, id],
  );
  return row ?? null;
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

/** The record as the merchant sees it. */
export async function webhookDeliveryOf(
  runtime: Pick<Runtime, 'keyRing'>,
  row: DeliveryRow,
): Promise<WebhookDelivery> {
  return {
    id: row.id,
    payment_id: row.payment_id,
    merchant_id: row.merchant_id,
    event_type: row.event_type,
    payload: storedJson(await openedBody(runtime, row.body)) as object,
    webhook_url: row.url,
    status: row.status,
    attempts: row.attempts,
    last_attempt_at: timeOf(row.last_attempt_at),
    next_retry_at: timeOf(row.next_attempt_at),
    response_code: row.response_code,
    response_body: row.response_body,
    created_at: isoTime(row.created_at),
  };
}
