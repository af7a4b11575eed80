import type {
  PaymentFact,
  PublicFacts,
  ReceiptFact,
  SettlementFact,
  WebhookEventName,
} from '@tender/contracts';
import type { PublicEvent } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import { envelopeOf, type EnvelopeContent } from '@tender/webhook-dispatcher-domain';

/** The public facts that merchants hear of. */
export const WEBHOOK_FACTS = {
  'payments.payment-created.v1': 'PaymentCreated',
  'payments.payment-confirmed.v1': 'PaymentConfirmed',
  'payments.payment-failed.v1': 'PaymentFailed',
  'payments.payment-expired.v1': 'PaymentExpired',
  'payments.settlement-completed.v1': 'SettlementCompleted',
  'payments.receipt-recorded.v1': 'ReceiptRecorded',
} as const satisfies Partial<Record<keyof PublicFacts, WebhookEventName>>;

export type WebhookFact = PaymentFact | SettlementFact | ReceiptFact;

/** One public fact as a webhook, before it has an id and a version. */
export interface Webhook {
  readonly event: WebhookEventName;
  readonly merchant_id: string;
  readonly payment_id: string | null;
  /** Whose events are counted and kept in order: the payment, or the receipt itself. */
  readonly resource_id: string;
  /** The payment's own URL, which takes the place of the merchant's. */
  readonly webhook_url: string | null;
  readonly content: Pick<EnvelopeContent, 'payment' | 'settlement' | 'receipt'>;
}

export function webhookOf(message: PublicEvent): Webhook {
  const event = WEBHOOK_FACTS[message.type as keyof typeof WEBHOOK_FACTS];
  invariant(event, `${message.type} is a webhook`);
  const fact = message.data as WebhookFact;
  const { webhook_url } = fact;
  if ('receipt' in fact) {
    const { receipt, merchant_id } = fact;
    const content = { receipt: { ...receipt } };
    const { payment_id, id: resource_id } = receipt;
    return { event, merchant_id, payment_id, resource_id, webhook_url, content };
  }
  const { id, merchant_id } = fact.payment;
  const settlement = 'settlement' in fact ? { ...fact.settlement } : null;
  const content = { payment: { ...fact.payment }, settlement };
  return { event, merchant_id, payment_id: id, resource_id: id, webhook_url, content };
}

/** The body that every attempt will send: frozen once, here. */
export function bodyOf(
  webhook: Webhook,
  made: { readonly id: string; readonly resource_version: number; readonly timestamp: string },
): string {
  return JSON.stringify(envelopeOf({ ...made, event: webhook.event, ...webhook.content }));
}
