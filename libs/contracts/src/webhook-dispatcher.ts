import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import type { Mode } from '@tender/kernel';
import { newId, prefixedIds, uuidIds } from './object-ids';
import { paymentIds } from './payment-ids';
import { route } from './route';
import {
  Describe,
  IsIdOf,
  IsRawText,
  OrNull,
  PageQuery,
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
} from './validation';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'exhausted'] as const;
export type DeliveryStatusName = (typeof DELIVERY_STATUSES)[number];

export const deliveryIds = prefixedIds('wh', 'second release');

export class ConfigureWebhookBody {
  /** Null turns delivery off; the field itself is required. */
  @Describe('Where to send events; null turns delivery off.', 'https://shop.example.com/webhooks')
  @OrNull()
  @IsString()
  @MinLength(1)
  @MaxLength(2048)
  webhook_url!: string | null;
}

export class WebhookConfigurationAnswer {
  @IsBoolean() success!: boolean;
  @OrNull() @IsString() webhook_url!: string | null;
  /** `whsec_…`, shown here only. The one before it co-signs for 24 hours. */
  @IsString() webhook_secret!: string;
  @IsString() message!: string;
}

export class WebhookTestAnswer {
  @IsBoolean() success!: boolean;
  /** Null when the endpoint did not answer. */
  @OrNull() @IsInt() status_code!: number | null;
  @IsInt() response_time_ms!: number;
  /** At most 1 KiB. */
  @OrNull() @IsString() response_body!: string | null;
  @IsString() message!: string;
}

/** The webhook delivery record of specification §2.12. */
export class WebhookDelivery {
  @IsIdOf(deliveryIds) id!: string;
  @OrNull() @IsIdOf(paymentIds) payment_id!: string | null;
  @IsIdOf(uuidIds) merchant_id!: string;
  @IsString() event_type!: string;
  /** The body that is sent, parsed. */
  @IsObject() payload!: object;
  @IsString() webhook_url!: string;
  @IsIn(DELIVERY_STATUSES) status!: DeliveryStatusName;
  @IsInt() attempts!: number;
  @OrNull() @IsString() last_attempt_at!: string | null;
  @OrNull() @IsString() next_retry_at!: string | null;
  @OrNull() @IsInt() response_code!: number | null;
  /** At most 4 KiB, as plain text. */
  @OrNull() @IsString() response_body!: string | null;
  @IsString() created_at!: string;
}

export class VerifyWebhookBody {
  /** The raw body as it was received. */
  @IsRawText() @IsString() payload!: string;
  /** `t=…,v1=…` */
  @Describe('The value of X-Svc-Signature.')
  @IsString()
  @MaxLength(4096)
  signature!: string;
}

export class VerifyWebhookAnswer {
  @IsBoolean() valid!: boolean;
  @IsString() message!: string;
  /** Null when the signature holds no readable time; negative for a time in the future. */
  @OrNull() @IsInt() timestamp_age_seconds!: number | null;
}

export class ListEventsQuery {
  /** The cursor of the last event that was seen; the oldest event comes first without it. */
  @IsOptional() @Matches(/^\d{1,18}$/) after?: string;
  /** Event names, separated by commas. */
  @IsOptional() @IsString() @MaxLength(2000) types?: string;
  @Describe(`How many at most; ${PAGE_LIMIT_DEFAULT} unless told.`)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(PAGE_LIMIT_MAX)
  limit?: number;
}

export class MerchantEvent {
  @IsString() cursor!: string;
  /** The very bytes that the webhook carries. */
  @IsObject() event!: object;
}

export class ListEventsAnswer {
  @IsArray() @ValidateNested({ each: true }) @Type(() => MerchantEvent) data!: MerchantEvent[];
  /** What to send as `after` next; null when nothing was found and no `after` was sent. */
  @OrNull() @IsString() next_cursor!: string | null;
  @IsBoolean() has_more!: boolean;
}

/** Of entries in a merchant's event log: the `id` of a webhook's body. */
export const eventIds = prefixedIds('evt', 'second release');

/** Of a public event: the same wherever it is shown, and however often it comes. */
export const eventIdOf = (
  keyRing: { idBytes(scope: string): Uint8Array },
  mode: Mode,
  public_event_id: string,
): string => newId(eventIds, mode, keyRing.idBytes(`webhook-event|${public_event_id}`));

const keyed = { context: 'webhook-dispatcher', auth: 'key', tag: 'Webhooks' } as const;

export const configureWebhook = route({
  ...keyed,
  id: 'configureWebhook',
  method: 'PUT',
  path: '/api/v1/merchants/me/webhook',
  limit: 'other',
  idempotent: true,
  body: ConfigureWebhookBody,
  answers: { 200: WebhookConfigurationAnswer },
  refusals: [],
  summary: 'Set the webhook URL and make a new signing secret',
});

export const testWebhook = route({
  ...keyed,
  id: 'testWebhook',
  method: 'POST',
  path: '/api/v1/merchants/me/webhook/test',
  limit: 'webhook_test',
  idempotent: true,
  answers: { 200: WebhookTestAnswer },
  refusals: ['webhook_not_configured', 'service_unavailable'],
  summary: 'Send a test event and wait for the answer',
});

export const listWebhooks = route({
  ...keyed,
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/v1/webhooks',
  limit: 'read',
  idempotent: false,
  query: PageQuery,
  answers: { 200: [WebhookDelivery] },
  refusals: [],
  summary: 'Delivery records, newest first',
});

export const retryWebhook = route({
  ...keyed,
  id: 'retryWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/retry',
  objects: { id: deliveryIds },
  limit: 'other',
  idempotent: true,
  answers: { 200: WebhookDelivery },
  refusals: ['delivery_not_retryable', 'webhook_not_configured', 'service_unavailable'],
  summary: 'Send a failed or exhausted delivery again and wait for the answer',
});

export const verifyWebhook = route({
  ...keyed,
  id: 'verifyWebhook',
  method: 'POST',
  path: '/api/v1/webhooks/verify',
  limit: 'other',
  idempotent: true,
  body: VerifyWebhookBody,
  answers: { 200: VerifyWebhookAnswer },
  refusals: [],
  summary: 'Check a signature against the webhook secret',
});

export const listEvents = route({
  ...keyed,
  id: 'listEvents',
  method: 'GET',
  path: '/api/v1/events',
  limit: 'read',
  idempotent: false,
  query: ListEventsQuery,
  answers: { 200: ListEventsAnswer },
  refusals: [],
  summary: 'The event log: everything that webhooks tell, oldest first, resumable',
});

export const webhookRoutes = [
  configureWebhook,
  testWebhook,
  listWebhooks,
  retryWebhook,
  verifyWebhook,
  listEvents,
] as const;
