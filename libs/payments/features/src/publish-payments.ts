import {
  holdCanceled,
  linkUseHeld,
  paymentConfirmed,
  paymentCreated,
  paymentExpired,
  paymentFailed,
  paymentIntentCanceled,
  paymentIntentCaptured,
  paymentIntentConfirmed,
  paymentIntentCreated,
  paymentIntentFailed,
  paymentIntentRequiresPayment,
  paymentIntentSucceeded,
  paymentLinkCreated,
  paymentLinkUsed,
  receiptRecorded,
  receiptRefundRequested,
  receiptResolved,
  settlementCompleted,
  settlementFailed,
  settlementRequested,
  transactionSubmitted,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import {
  intentAfter,
  paymentAfter,
  receiptAfter,
  type PaymentEvent,
  type PaymentIntentCaptured,
  type PaymentIntentConfirmed,
  type PaymentIntentEvent,
  type PaymentIntentStep,
  type PaymentLinkEvent,
  type ReceiptEvent,
} from '@tender/payments-domain';
import { renderPayment } from './payment-details/render-payment';
import { renderPaymentIntent } from './payment-intents/render-payment-intent';
import { renderLinkCreated, renderLinkUsed } from './payment-links/render-link-facts';
import { renderReceipt, renderRefundRequested } from './receipts/render-receipt';
import { renderSettlementAt } from './settlements/render-settlement';

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

/** The intent right after the event. */
const intentAt = (event: PaymentIntentStep) => ({
  payment_intent: renderPaymentIntent(intentAfter(event)),
});

const namesOf = ({ data }: PaymentIntentConfirmed | PaymentIntentCaptured) => ({
  payment_intent_id: data.terms.payment_intent_id,
  payment_id: data.paid_by.payment_id,
});

type OwnEvent = PaymentEvent | ReceiptEvent | PaymentLinkEvent | PaymentIntentEvent;

/**
 * What happens to a payment, a receipt, a link or an intent is published, but for who pays, how a use becomes free,
 * which client secrets were wrong and which refunds of receipts have failed.
 */
export const publishPayments = publications<OwnEvent>({
  PaymentCreated: tells(paymentCreated, paymentAt),
  PaymentConfirmed: tells(paymentConfirmed, paymentAt),
  PaymentSettled: tells(settlementCompleted, (event) => ({
    ...paymentAt(event),
    settlement: renderSettlementAt(event),
  })),
  SettlementRequested: tells(settlementRequested, ({ data }) => ({
    settlement_id: data.settlement_id,
    attempt: data.attempt,
    payment_id: data.terms.payment_id,
    merchant_id: data.terms.merchant_id,
    token: data.terms.token,
    amount: data.terms.token_amount,
  })),
  SettlementSent: 'private',
  SettlementFailed: tells(settlementFailed, (event) => ({
    ...paymentAt(event),
    settlement: renderSettlementAt(event),
  })),
  HoldCanceled: tells(holdCanceled, (event) => ({
    ...paymentAt(event),
    canceled_by: event.data.canceled_by,
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
  PaymentIntentCreated: tells(paymentIntentCreated, intentAt),
  PaymentIntentRequiresPayment: tells(paymentIntentRequiresPayment, intentAt),
  ClientSecretRefused: 'private',
  PaymentIntentConfirmed: tells(paymentIntentConfirmed, namesOf),
  PaymentIntentHeld: 'private',
  PaymentIntentCaptured: tells(paymentIntentCaptured, namesOf),
  PaymentIntentSucceeded: tells(paymentIntentSucceeded, intentAt),
  PaymentIntentFailed: tells(paymentIntentFailed, intentAt),
  // To merchants it is one of the ways to fail: `failure_reason` tells them apart.
  PaymentIntentExpired: tells(paymentIntentFailed, intentAt),
  PaymentIntentCanceled: tells(paymentIntentCanceled, intentAt),
  ReceiptRecorded: tells(receiptRecorded, receiptAt),
  ReceiptRefundRequested: tells(receiptRefundRequested, ({ data }) => renderRefundRequested(data)),
  ReceiptRefundFailed: 'private',
  ReceiptResolved: tells(receiptResolved, receiptAt),
});
