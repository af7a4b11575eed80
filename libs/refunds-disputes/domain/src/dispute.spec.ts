import { disputeAfter, type DisputeEvent } from './dispute';
import { evolvePaymentCase, UNKNOWN_PAYMENT_CASE, type KnownPaymentCase } from './payment-case';
import history from './recorded/dispute-v1.json';

type Recorded = { [One in DisputeEvent as One['type']]: One };
const { DisputeOpened, DisputeResponded, DisputeResolved } = history as unknown as Recorded;
const fold = (...events: readonly DisputeEvent[]) =>
  events.reduce(evolvePaymentCase, UNKNOWN_PAYMENT_CASE) as KnownPaymentCase;
const { dispute: terms } = DisputeOpened.data;
const { response } = DisputeResponded.data;
const { resolved } = DisputeResolved.data;

test('a recorded history of version 1 folds as it did', () => {
  const { payment_id, merchant_id } = terms;
  const begun = { status: 'begun', payment_id, merchant_id, refunds: [] };
  const of = (dispute: object) => ({ ...begun, disputes: [dispute] });
  const open = { status: 'open', terms, response: null, resolved: null };
  expect(fold(DisputeOpened)).toEqual(of(open));
  const under_review = { ...open, status: 'under_review', response };
  expect(fold(DisputeOpened, DisputeResponded)).toEqual(of(under_review));
  const status = 'resolved_customer_favor';
  const ended = fold(DisputeOpened, DisputeResponded, DisputeResolved);
  expect(ended).toEqual(of({ ...under_review, status, resolved }));
});

test('each event has by itself what merchants see of it', () => {
  const { disputes } = fold(DisputeOpened, DisputeResponded, DisputeResolved);
  expect(disputeAfter(DisputeResolved)).toEqual(disputes[0]);
});
