import type { PaymentFact, ReceiptFact, SettlementFact } from '@tender/contracts';
import type { Publication, StoredEvent } from '@tender/eventing';
import { fromUnits, TOKEN_DECIMALS } from '@tender/kernel';
import {
  paymentAfter,
  type PaymentEvent,
  type PaymentSettled,
  type ReceiptRecorded,
} from '@tender/payments-domain';
import { renderPayment, usdOf } from './payment-details/render-payment';
import { renderReceipt } from './receipts/render-receipt';

const PUBLIC_TYPES = {
  PaymentCreated: 'payments.payment-created.v1',
  PaymentConfirmed: 'payments.payment-confirmed.v1',
  PaymentSettled: 'payments.settlement-completed.v1',
  PaymentExpired: 'payments.payment-expired.v1',
  PaymentFailed: 'payments.payment-failed.v1',
  ReceiptRecorded: 'payments.receipt-recorded.v1',
} as const satisfies Record<(PaymentEvent | ReceiptRecorded)['type'], string>;

/** Private event → public event, from the event alone (settled 8). Types of a later version stay private. */
export function publishPayments(stored: StoredEvent): Publication | null {
  if (!Object.hasOwn(PUBLIC_TYPES, stored.type)) return null;
  const event = stored as unknown as PaymentEvent | ReceiptRecorded;
  return { type: PUBLIC_TYPES[event.type], data: factOf(event) };
}

function factOf(event: PaymentEvent | ReceiptRecorded): PaymentFact | SettlementFact | ReceiptFact {
  if (event.type === 'ReceiptRecorded') {
    const { merchant_id, webhook_url } = event.data;
    return { receipt: renderReceipt(event.data), merchant_id, webhook_url };
  }
  const fact: PaymentFact = {
    payment: renderPayment(paymentAfter(event), null),
    webhook_url: event.data.terms.webhook_url,
  };
  return event.type === 'PaymentSettled' ? { ...fact, settlement: settlementOf(event.data) } : fact;
}

function settlementOf(data: PaymentSettled['data']): SettlementFact['settlement'] {
  const { terms, confirmation, settlement_id } = data;
  return {
    id: settlement_id,
    payment_id: terms.payment_id,
    merchant_id: terms.merchant_id,
    amount_usd: usdOf(terms),
    settlement_token: terms.token,
    settlement_amount: fromUnits(BigInt(terms.token_amount), TOKEN_DECIMALS[terms.token]),
    transaction_signature: confirmation.transaction_signature,
    merchant_wallet: terms.wallet_address,
    status: 'completed',
  };
}
