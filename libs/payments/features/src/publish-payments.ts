import {
  paymentConfirmed,
  paymentCreated,
  paymentExpired,
  paymentFailed,
  receiptRecorded,
  receiptResolved,
  settlementCompleted,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import {
  paymentAfter,
  receiptAfter,
  type PaymentEvent,
  type ReceiptEvent,
} from '@tender/payments-domain';
import { renderPayment } from './payment-details/render-payment';
import { renderSettlement } from './payment-details/render-settlement';
import { renderReceipt } from './receipts/render-receipt';

/** The payment right after the event, and its own webhook URL. */
const paymentAt = (event: PaymentEvent) => ({
  payment: renderPayment(paymentAfter(event), null),
  webhook_url: event.data.terms.webhook_url,
});

/** The receipt right after the event, whose it is, and the payment's own webhook URL. */
function receiptAt(event: ReceiptEvent) {
  const receipt = receiptAfter(event);
  const { merchant_id, webhook_url } = receipt;
  return { receipt: renderReceipt(receipt), merchant_id, webhook_url };
}

/** Everything that happens to a payment or a receipt is published. */
export const publishPayments = publications<PaymentEvent | ReceiptEvent>({
  PaymentCreated: tells(paymentCreated, paymentAt),
  PaymentConfirmed: tells(paymentConfirmed, paymentAt),
  PaymentSettled: tells(settlementCompleted, (event) => ({
    ...paymentAt(event),
    settlement: renderSettlement(event.data),
  })),
  PaymentExpired: tells(paymentExpired, paymentAt),
  PaymentFailed: tells(paymentFailed, paymentAt),
  ReceiptRecorded: tells(receiptRecorded, receiptAt),
  ReceiptResolved: tells(receiptResolved, receiptAt),
});
