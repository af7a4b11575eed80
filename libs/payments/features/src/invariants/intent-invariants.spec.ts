import type { DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import intent from '../../../domain/src/recorded/payment-intent-v1.json';
import payment from '../../../domain/src/recorded/payment-v1.json';
import { intentInvariants } from './intent-invariants';

const {
  PaymentIntentCreated: created,
  PaymentIntentRequiresPayment: requires,
  PaymentIntentConfirmed: confirmed,
  PaymentIntentSucceeded: succeeded,
  PaymentIntentFailed: failed,
  PaymentIntentCanceled: canceled,
  ClientSecretRefused: refused,
} = intent;
const { payment_intent_id } = created.data.terms;
const { payment_id } = confirmed.data.paid_by;

const intentOf = (...events: readonly DomainEvent[]) =>
  checkedObject(`intent.test-${payment_intent_id}`, events);
const found = (...events: readonly DomainEvent[]) =>
  findingsOf(intentInvariants, { objects: [intentOf(...events)] });

const paidBy = (event: { type: string; data: { paid_by: object } }, id: string): DomainEvent => ({
  ...event,
  data: { ...event.data, paid_by: { ...event.data.paid_by, payment_id: id } },
});

test('an intent that is paid, that has failed or was cancelled breaks nothing', async () => {
  expect(await found(created, requires, refused, confirmed, succeeded)).toEqual([]);
  expect(await found(created, requires, confirmed, failed)).toEqual([]);
  expect(await found(created, requires, canceled)).toEqual([]);
});

test('M25: two ends', async () => {
  expect(await found(created, confirmed, failed, succeeded)).toEqual([
    'M25: it has ended 2 times: PaymentIntentFailed, PaymentIntentSucceeded',
  ]);
});

test('M25: two payments', async () => {
  expect(await found(created, confirmed, paidBy(confirmed, 'pay_test_other'))).toEqual([
    'M25: it has 2 payments',
  ]);
});

describe('a payment that says it pays an intent', () => {
  const made = {
    ...payment.PaymentCreated,
    data: {
      ...payment.PaymentCreated.data,
      terms: { ...payment.PaymentCreated.data.terms, payment_id, payment_intent_id },
    },
  };
  const of = (...events: readonly DomainEvent[]) =>
    findingsOf(intentInvariants, {
      objects: [checkedObject(`payment.test-${payment_id}`, [made]), intentOf(...events)],
    });

  test('is the one that the intent names', async () => {
    expect(await of(created, confirmed)).toEqual([]);
  });

  test('M25: is another one', async () => {
    const says = `M25: its intent ${payment_intent_id} names another payment, or none`;
    expect(await of(created, paidBy(confirmed, 'pay_test_other'))).toEqual([says]);
    expect(await of(created)).toEqual([says]);
  });
});
