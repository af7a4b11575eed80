import type { TransactionBuilt } from './checkout';
import {
  evolvePayment,
  lacksCustomerInfo,
  paymentAfter,
  UNKNOWN_PAYMENT,
  type CustomerInfoCollected,
  type KnownPayment,
  type PaymentEvent,
} from './payment';
import type { SealedCustomer } from './payment-terms';
import history from './recorded/payment-v1.json';

const recorded = history as unknown as Record<PaymentEvent['type'], PaymentEvent>;
const { PaymentCreated, PaymentConfirmed, PaymentSettled } = recorded;
const { PaymentExpired, PaymentFailed, CustomerInfoCollected } = recorded;
const { TransactionBuilt: built, TransactionSubmitted: submitted } = recorded;
const fold = (...events: readonly PaymentEvent[]) => events.reduce(evolvePayment, UNKNOWN_PAYMENT);
const { terms } = PaymentCreated.data;

test('a recorded history of version 1 folds as it did', () => {
  expect(fold(PaymentCreated, PaymentConfirmed, PaymentSettled)).toEqual({
    status: 'confirmed',
    terms,
    transaction_signature:
      '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
    confirmed_at: '2026-01-01T00:03:20.000Z',
    customer_wallet: 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd',
    settlement_id: 'set_0000000000000000000001',
  });
  const ended = { transaction_signature: null, confirmed_at: null, customer_wallet: null };
  expect(fold(PaymentCreated, PaymentExpired)).toMatchObject({ status: 'expired', ...ended });
  expect(fold(PaymentCreated, PaymentFailed)).toMatchObject({ status: 'failed', ...ended });
});

test.each([
  [[PaymentCreated]],
  [[PaymentCreated, PaymentConfirmed]],
  [[PaymentCreated, PaymentConfirmed, PaymentSettled]],
  [[PaymentCreated, PaymentExpired]],
  [[PaymentCreated, PaymentFailed]],
  [[PaymentCreated, built]],
])('the last event alone tells the same as the whole history (%#)', (events) => {
  expect(paymentAfter(events.at(-1) as PaymentEvent)).toEqual(fold(...events));
});

test('what was built and handed in is kept, and no status follows from it', () => {
  const signature =
    '5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW';
  const state = fold(PaymentCreated, built, submitted) as KnownPayment;
  const { build } = (built as TransactionBuilt).data;
  expect(state).toMatchObject({ status: 'pending', transaction_signature: null });
  expect(state.checkout).toEqual({ build, in_flight: signature, signatures: [signature] });
});

test('who pays is kept, and is asked for while only the e-mail is known', () => {
  const { terms: asking, customer } = CustomerInfoCollected.data as CustomerInfoCollected['data'];
  const by_email = { subject_id: customer.subject_id, email_sealed: customer.email_sealed };
  const created = (who: SealedCustomer | null): PaymentEvent => ({
    type: 'PaymentCreated',
    data: { terms: asking, customer: who },
  });
  const states = [
    fold(created(null)),
    fold(created(by_email)),
    fold(created(customer)),
    fold(created(null), CustomerInfoCollected),
    fold(PaymentCreated),
  ] as KnownPayment[];
  expect(states.map(({ customer: known }) => known)).toEqual([
    ...[undefined, by_email, customer, customer, undefined],
  ]);
  expect(states.map(lacksCustomerInfo)).toEqual([true, true, false, false, false]);
});

test('the fold survives a round through JSON: a row is a state', () => {
  const state = fold(PaymentCreated, PaymentConfirmed);
  const row = JSON.parse(JSON.stringify(state)) as typeof state;
  expect(evolvePayment(row, PaymentSettled)).toEqual(evolvePayment(state, PaymentSettled));
});

test('an event of a later version changes nothing', () => {
  const later = { type: 'PaymentNoted', data: { terms } } as unknown as PaymentEvent;
  expect(fold(PaymentCreated, later)).toEqual(fold(PaymentCreated));
});
