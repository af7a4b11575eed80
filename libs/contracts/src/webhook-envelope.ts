/** Sent on request only and not part of `GET /events`: no public event is behind it. */
export const WEBHOOK_TEST_EVENT = 'WebhookTest';

export const API_VERSION = 'v1';

/** The object whose form is that of its event alone. */
export const OWN_DATA = 'data';

/**
 * The objects of a webhook's body, in their order. One that no fact fills yet is always null. `event_type` is none: the
 * name of the event once more, beside a subscription.
 */
export const ENVELOPE_OBJECTS = [
  'payment',
  'settlement',
  'withdrawal',
  'refund',
  'dispute',
  'fraud',
  'sub_account',
  'subscription',
  'event_type',
  'installment_plan',
  'invoice',
  'payment_intent',
  'receipt',
  'metadata',
  'data',
] as const;
export type EnvelopeObject = (typeof ENVELOPE_OBJECTS)[number];

/** What an event fills of the envelope. */
export type EnvelopeContent = { readonly [Key in EnvelopeObject]?: object };

export interface EnvelopeHead {
  /** `evt_…` */
  readonly id: string;
  /** `PaymentConfirmed` */
  readonly event: string;
  /** 1, 2, 3 … for the events of one resource. */
  readonly resource_version: number;
  /** Business time, ISO 8601. */
  readonly timestamp: string;
}

/** Every key is always there, null where it does not apply, and always in the same order. */
export function envelopeOf(head: EnvelopeHead, content: EnvelopeContent = {}): object {
  const { id, event, resource_version, timestamp } = head;
  const envelope: Record<string, unknown> = {
    id,
    event,
    api_version: API_VERSION,
    resource_version,
    timestamp,
  };
  for (const key of ENVELOPE_OBJECTS) envelope[key] = content[key] ?? null;
  if (content.subscription) envelope['event_type'] = event;
  return envelope;
}
