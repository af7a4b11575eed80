import {
  linkUseHeld,
  paymentConfirmed,
  paymentCreated,
  paymentExpired,
  paymentFailed,
  paymentLinkCreated,
  paymentLinkUsed,
  receiptRecorded,
  receiptResolved,
  settlementCompleted,
  transactionSubmitted,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import {
  paymentAfter,
  receiptAfter,
  type PaymentEvent,
  type PaymentLinkEvent,
  type ReceiptEvent,
} from '@tender/payments-domain';
import { renderPayment } from './payment-details/render-payment';
import { renderSettlement } from './payment-details/render-settlement';
import { renderLinkCreated, renderLinkUsed } from './payment-links/render-link-facts';
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

/** What happens to a payment, a receipt or a link is published, but for who pays and how a use becomes free. */
export const publishPayments = publications<PaymentEvent | ReceiptEvent | PaymentLinkEvent>({
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
  CustomerInfoCollected: 'private',
  PaymentLinkCreated: tells(paymentLinkCreated, ({ data }) => renderLinkCreated(data.link)),
  PaymentLinkUsed: tells(paymentLinkUsed, ({ data }) => renderLinkUsed(data)),
  LinkUseHeld: tells(linkUseHeld, ({ data }) => ({
    payment_link_id: data.payment_link_id,
    payment_id: data.payment.terms.payment_id,
  })),
  LinkUseReleased: 'private',
  PaymentLinkClosed: 'private',
  ReceiptRecorded: tells(receiptRecorded, receiptAt),
  ReceiptResolved: tells(receiptResolved, receiptAt),
});
