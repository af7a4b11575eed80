import type { PaymentIntentSnapshot } from '@tender/contracts';
import { fromUnits } from '@tender/kernel';
import { isHeld, type KnownPaymentIntent } from '@tender/payments-domain';

const CENT_PLACES = 2;

/** A payment intent as its merchant sees it, from a row, a stream or an event alike. */
export function renderPaymentIntent(intent: KnownPaymentIntent): Required<PaymentIntentSnapshot> {
  const { terms, paid_by, status, transaction_signature, failure_reason } = intent;
  return {
    id: terms.payment_intent_id,
    merchant_id: terms.merchant_id,
    amount: fromUnits(BigInt(terms.amount_minor), CENT_PLACES),
    currency: terms.currency,
    description: terms.description,
    status,
    capture_method: terms.capture_method,
    payment_id: paid_by?.payment_id ?? null,
    payment_url: paid_by?.payment_url ?? null,
    customer_wallet: paid_by?.customer_wallet ?? null,
    payment_type: paid_by?.payment_type ?? null,
    transaction_signature,
    failure_reason,
    metadata: paid_by?.metadata ?? terms.metadata,
    mode: terms.mode,
    created_at: terms.created_at,
    expires_at: terms.expires_at,
    capture_before: isHeld(intent) ? intent.hold.until : null,
  };
}
