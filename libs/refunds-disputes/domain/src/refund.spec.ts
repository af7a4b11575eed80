import { evolvePaymentCase, UNKNOWN_PAYMENT_CASE, type KnownPaymentCase } from './payment-case';
import history from './recorded/refund-v1.json';
import { refundAfter, type RefundEvent } from './refund';

type Recorded = { [One in RefundEvent as One['type']]: One };
const recorded = history as unknown as Recorded;
const { RefundInitiated, RefundSent, RefundCompleted, RefundFailed } = recorded;
const fold = (...events: readonly RefundEvent[]) =>
  events.reduce(evolvePaymentCase, UNKNOWN_PAYMENT_CASE) as KnownPaymentCase;
const terms = RefundInitiated.data.refund;
const { transaction_signature } = RefundSent.data;

test('a recorded history of version 1 folds as it did', () => {
  const pending = {
    ...{ status: 'pending', terms, transaction_signature: null },
    ...{ failure_reason: null, completed_at: null },
  };
  const { payment_id, merchant_id } = terms;
  const begun = { status: 'begun', payment_id, merchant_id, disputes: [] };
  const of = (refund: object) => ({ ...begun, refunds: [refund] });
  expect(fold(RefundInitiated)).toEqual(of(pending));
  const sent = { ...pending, status: 'processing', transaction_signature };
  expect(fold(RefundInitiated, RefundSent)).toEqual(of(sent));
  const completed = { ...sent, status: 'completed', completed_at: '2026-01-02T10:00:20.000Z' };
  expect(fold(RefundInitiated, RefundSent, RefundCompleted)).toEqual(of(completed));
  const failed = { ...pending, status: 'failed', failure_reason: 'insufficient_balance' };
  expect(fold(RefundInitiated, RefundSent, RefundFailed)).toEqual(of(failed));
});

test('each event has by itself what merchants see of it', () => {
  for (const end of [RefundCompleted, RefundFailed]) {
    expect(refundAfter(end)).toEqual(fold(RefundInitiated, RefundSent, end).refunds[0]);
  }
});

test('an event of a later version changes nothing', () => {
  const noted = { ...RefundSent, type: 'RefundNoted' } as never;
  expect(evolvePaymentCase(fold(RefundInitiated), noted)).toEqual(fold(RefundInitiated));
});
