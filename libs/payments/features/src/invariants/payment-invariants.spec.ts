import type { DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import claims from '../../../domain/src/recorded/payment-v1.json';
import { paymentInvariants } from './payment-invariants';

const {
  PaymentCreated: created,
  PaymentConfirmed: confirmed,
  PaymentSettled: settled,
  PaymentExpired: expired,
  PaymentFailed: failed,
  CustomerInfoCollected: collected,
  TransactionBuilt: built,
  TransactionSubmitted: submitted,
} = claims;
const { payment_id } = created.data.terms;
const STREAM = `payment.test-${payment_id}` as const;

const life = (...events: readonly DomainEvent[]) => checkedObject(STREAM, events);
const found = (...events: readonly DomainEvent[]) =>
  findingsOf(paymentInvariants, { objects: [life(...events)] });

/** The event, with other terms. */
const on = (event: DomainEvent, terms: object): DomainEvent => ({
  ...event,
  data: { ...event.data, terms: { ...created.data.terms, ...terms } },
});
const confirmedWith = (confirmation: object): DomainEvent => ({
  ...confirmed,
  data: { ...confirmed.data, confirmation: { ...confirmed.data.confirmation, ...confirmation } },
});

test.each([
  ['pending', [created, built, submitted]],
  ['confirmed', [created, collected, built, submitted, confirmed, settled]],
  ['expired', [created, expired]],
  ['failed', [created, built, submitted, failed]],
])('a payment that is %s breaks nothing', async (_, events) => {
  expect(await found(...events)).toEqual([]);
});

test.each([
  [[created, confirmed, settled, expired], 'PaymentExpired after PaymentConfirmed'],
  [[created, expired, confirmed, settled], 'PaymentConfirmed after PaymentExpired'],
  [[created, failed, built], 'TransactionBuilt after PaymentFailed'],
  [[created, confirmed, settled, confirmed, settled], 'PaymentConfirmed after PaymentConfirmed'],
  [[created, confirmed, settled, settled], 'settled 2 times, confirmed 1 times'],
])('M8: what happens after the end (%#)', async (events, says) => {
  expect(await found(...events)).toEqual([`M8: ${says}`]);
});

test('M9: another amount than that of its rates, or another one later', async () => {
  expect(await found(on(created, { token_amount: '10810799' }))).toEqual([
    'M9: due 10810799, by its rates 10810800',
  ]);
  expect(await found(on(created, { amount_usd_cents: '1082' }))).toEqual([
    'M9: worth 1082 cents, by its rates 1081',
  ]);
  expect(await found(created, on(expired, { token_amount: '1' }))).toEqual([
    'M9: due 10810800 when it was made, 1 later',
  ]);
});

test('C1: less than what was due, or too late', async () => {
  expect(await found(created, confirmedWith({ received: '10810799' }))).toEqual([
    'C1: confirmed with 10810799 of 10810800',
  ]);
  expect(await found(created, confirmedWith({ confirmed_at: '2026-01-01T00:15:00.001Z' }))).toEqual([
    'C1: confirmed by money of 2026-01-01T00:15:00.001Z, too late',
  ]);
});

test('M7: what the table of payments shows to be paid by the same money', async () => {
  const rows = [{ ids: [payment_id, 'pay_test_other'] }];
  const objects = [life(created, confirmed, settled)];
  expect(await findingsOf(paymentInvariants, { objects, rows })).toEqual([
    'M7: paid by the same money as pay_test_other',
    `M7: paid by the same money as ${payment_id}`,
  ]);
});

describe('M12', () => {
  const submission = { ...submitted.data.submission, is_ours: false };
  const foreign = { ...submitted, data: { ...submitted.data, submission } };
  const { transaction_signature } = submission;
  const claimed = (by: string) =>
    checkedObject(`signature.test-${transaction_signature}`, [
      { type: 'SignatureClaimed', data: { transaction_signature, payment_id: by } },
    ]);
  const foundWith = (by: string, event: DomainEvent) =>
    findingsOf(paymentInvariants, { objects: [life(created, event), claimed(by)] });

  test('a signature that was handed in for another payment', async () => {
    expect(await foundWith('pay_test_other', foreign)).toEqual([
      `M12: ${transaction_signature} was handed in for another payment`,
    ]);
  });

  test('its own, and one of a transaction of ours that a stranger was faster with, break nothing', async () => {
    expect(await foundWith(payment_id, foreign)).toEqual([]);
    expect(await foundWith('pay_test_other', submitted)).toEqual([]);
  });
});

test('M17: terms of the other mode, and an id of the other mode', async () => {
  expect(await found(on(created, { mode: 'live' }))).toEqual([
    'M17: event 0 is of live mode, its stream of test',
  ]);
  const strayed = checkedObject(`payment.live-${payment_id}`, [on(created, { mode: 'live' })]);
  expect(await findingsOf(paymentInvariants, { objects: [strayed] })).toEqual([
    'M17: its id is of test mode, its stream of live',
  ]);
});
