import {
  paymentConfirmed,
  paymentCreated,
  paymentExpired,
  paymentFailed,
  receiptRecorded,
  settlementCompleted,
  transactionSubmitted,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import { paymentAfter, type PaymentEvent, type ReceiptRecorded } from '@tender/payments-domain';
import { renderPayment } from './payment-details/render-payment';
import { renderSettlement } from './payment-details/render-settlement';
import { renderReceipt } from './receipts/render-receipt';

/** The payment right after the event, and its own webhook URL. */
const paymentAt = (event: PaymentEvent) => ({
  payment: renderPayment(paymentAfter(event), null),
  webhook_url: event.data.terms.webhook_url,
});

/** Everything that happens to a payment or a receipt is published. */
export const publishPayments = publications<PaymentEvent | ReceiptRecorded>({
  PaymentCreated: tells(paymentCreated, paymentAt),
  PaymentConfirmed: tells(paymentConfirmed, paymentAt),
  PaymentSettled: tells(settlementCompleted, (event) => ({
    ...paymentAt(event),
    settlement: renderSettlement(event.data),
  })),
  TransactionBuilt: 'private',
  TransactionSubmitted: tells(transactionSubmitted, ({ data: { terms, submission } }) => ({
    payment_id: terms.payment_id,
    merchant_id: terms.merchant_id,
    expires_at: terms.expires_at,
    ...submission,
  })),
  PaymentExpired: tells(paymentExpired, paymentAt),
  PaymentFailed: tells(paymentFailed, paymentAt),
  ReceiptRecorded: tells(receiptRecorded, ({ data }) => ({
    receipt: renderReceipt(data),
    merchant_id: data.merchant_id,
    webhook_url: data.webhook_url,
  })),
});
