import type {
  CompleteRefund,
  FailRefund,
  InitiateRefund,
  RefundedPayment,
  RefundWish,
  SendRefund,
} from '../decide-refund';

export const NOW = '2026-01-02T10:00:00.000Z';
export const PAYMENT: RefundedPayment = {
  payment_id: `pay_test_${'a1'.repeat(11)}`,
  merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
  mode: 'test',
  status: 'confirmed',
  amount_usd_cents: '10000',
  token: 'USDC',
  token_amount: '100000000',
  customer_wallet: 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd',
  transaction_signature: 'signature of the payment',
  hold: 'none',
  customer_subject: 'customer-7',
  customer_email_sealed: 'sealed',
  webhook_url: null,
};

/** The id of a refund, a number for each. */
export const refundId = (number = 1): string =>
  `0190a1b2-c3d4-8e5f-a6b7-${String(number).padStart(10, '0')}b2`;

export const wish = (changes: Partial<RefundWish> = {}): RefundWish => ({
  refund_id: refundId(),
  amount_usd_cents: '2500',
  reason: 'Damaged',
  metadata: { order: '42' },
  initiated_by: 'merchant',
  dispute_id: null,
  of_canceled_hold: false,
  now: NOW,
  ...changes,
});
export const initiate = (
  changes: Partial<RefundWish> = {},
  payment: Partial<RefundedPayment> = {},
): InitiateRefund => ({
  ...{ type: 'InitiateRefund', payment: { ...PAYMENT, ...payment }, wish: wish(changes) },
});
export const sendRefund = (number = 1, transaction_signature = 'signature 1'): SendRefund => ({
  ...{ type: 'SendRefund', refund_id: refundId(number), transaction_signature },
});
export const completeRefund = (
  number = 1,
  transaction_signature = 'signature 1',
): CompleteRefund => ({
  ...{ type: 'CompleteRefund', refund_id: refundId(number), transaction_signature, now: NOW },
});
export const failRefund = (
  number = 1,
  reason: FailRefund['reason'] = 'insufficient_balance',
): FailRefund => ({
  ...{ type: 'FailRefund', refund_id: refundId(number), reason, now: NOW },
  transaction_signature: null,
});
