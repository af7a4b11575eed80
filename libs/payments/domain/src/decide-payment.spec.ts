import { specificationOf } from '@tender/eventing/testing';
import { decide } from '@tender/kernel';
import fc from 'fast-check';
import {
  paymentDecider,
  type ConfirmPayment,
  type CreatePayment,
  type ExpirePayment,
  type FailPayment,
} from './decide-payment';
import { UNKNOWN_PAYMENT, type Payment, type PaymentEvent } from './payment';
import history from './recorded/payment-v1.json';

const given = specificationOf(paymentDecider);
const recorded = history as unknown as Record<PaymentEvent['type'], PaymentEvent>;
const { PaymentCreated, PaymentConfirmed, PaymentSettled } = recorded;
const { PaymentExpired, PaymentFailed } = recorded;
const { terms } = PaymentCreated.data;
const { confirmation } = (PaymentConfirmed as Extract<PaymentEvent, { type: 'PaymentConfirmed' }>).data;

const create = (amount_max = 99_999_999n): CreatePayment => ({
  type: 'CreatePayment',
  payment: { terms, customer: null },
  amount_max,
});
const exact = {
  token: 'USDC',
  token_mint: terms.token_mint,
  amount: BigInt(terms.token_amount),
  transaction_signature: confirmation.transaction_signature,
  from_wallet: confirmation.customer_wallet,
  block_time: confirmation.confirmed_at,
};
const confirm = (changes: Partial<typeof exact> = {}): ConfirmPayment => ({
  type: 'ConfirmPayment',
  credit: { ...exact, ...changes },
  settlement_id: 'set_0000000000000000000001',
});
const expire = (watermark = '2026-01-01T00:15:00.400Z'): ExpirePayment => ({
  type: 'ExpirePayment',
  watermark,
});
const fail: FailPayment = {
  type: 'FailPayment',
  transaction_signature: 'S9',
  customer_wallet: 'C9',
  reason: 'without_effect',
};

describe('create', () => {
  test('of what is allowed', () => given().when(create()).then(PaymentCreated));
  test('of exactly the maximum', () => given().when(create(1081n)).then(PaymentCreated));
  test('above the maximum', () => given().when(create(1080n)).thenRefused('amount_too_large'));
  test('of one that exists', () => given(PaymentCreated).when(create()).thenRefused('payment_exists'));
});

describe('confirm', () => {
  test('an exact credit confirms and settles in one decision', () =>
    given(PaymentCreated).when(confirm()).then(PaymentConfirmed, PaymentSettled));
  test('a larger one confirms too', () => {
    const { decision } = given(PaymentCreated).when(confirm({ amount: exact.amount + 1n }));
    expect(decision).toMatchObject({
      ok: true,
      events: [{ type: 'PaymentConfirmed' }, { type: 'PaymentSettled' }],
    });
  });
  test('in a block whose clock is behind ours is confirmed when it was created', () => {
    const { decision } = given(PaymentCreated).when(confirm({ block_time: '2025-12-31T23:59:58.000Z' }));
    const confirmation = { confirmed_at: terms.created_at };
    expect(decision).toMatchObject({
      ok: true,
      events: [{ data: { confirmation } }, { data: { confirmation } }],
    });
  });
  test('at the very time of expiry is on time', () => {
    const { decision } = given(PaymentCreated).when(confirm({ block_time: terms.expires_at }));
    expect(decision.ok).toBe(true);
  });
  test.each([
    ['short by one base unit', { amount: exact.amount - 1n }, 'credit_short'],
    ['after expiry', { block_time: '2026-01-01T00:15:00.001Z' }, 'credit_late'],
    ['another token', { token: 'USDT' }, 'credit_wrong_mint'],
    ['another mint of that name', { token_mint: 'Fake' }, 'credit_wrong_mint'],
  ] as const)('%s', (_, changes, refusal) =>
    given(PaymentCreated).when(confirm(changes)).thenRefused(refusal));
  test('one that was never created', () => given().when(confirm()).thenRefused('payment_unknown'));
  test('with the transaction that confirmed it changes nothing', () =>
    given(PaymentCreated, PaymentConfirmed, PaymentSettled).when(confirm()).then());
  test('with another transaction', () =>
    given(PaymentCreated, PaymentConfirmed, PaymentSettled)
      .when(confirm({ transaction_signature: 'S2' }))
      .thenRefused('credit_duplicate'));
  test.each([['expired', PaymentExpired], ['failed', PaymentFailed]])('after it %s', (_, event) =>
    given(PaymentCreated, event).when(confirm()).thenRefused('credit_late'));
});

describe('expire', () => {
  test('once the chain was seen past its time', () =>
    given(PaymentCreated).when(expire()).then(PaymentExpired));
  test('not while a block of its last moment may come', () =>
    given(PaymentCreated).when(expire(terms.expires_at)).thenRefused('expiry_too_early'));
  test('not when it is over', () => {
    given(PaymentCreated, PaymentConfirmed, PaymentSettled).when(expire()).then();
    given(PaymentCreated, PaymentExpired).when(expire()).then();
  });
  test('one that was never created', () => given().when(expire()).thenRefused('payment_unknown'));
});

describe('fail', () => {
  test('a pending one', () => given(PaymentCreated).when(fail).then(PaymentFailed));
  test('says in which slot', () => {
    const { decision } = given(PaymentCreated).when({ ...fail, slot: 42 });
    expect(decision).toMatchObject({ ok: true, events: [{ data: { slot: 42 } }] });
  });
  test('not one that is over', () => {
    given(PaymentCreated, PaymentConfirmed).when(fail).then();
    given(PaymentCreated, PaymentExpired).when(fail).then();
  });
});

test('a status that is final never changes, whatever is asked in whatever order', () => {
  const command = fc.oneof(
    fc.constant(expire()),
    fc.constant(fail),
    fc.record({ amount: fc.bigInt(0n, 30_000_000n), late: fc.boolean(), n: fc.nat(3) }).map(
      ({ amount, late, n }) =>
        confirm({
          amount,
          transaction_signature: `S${n}`,
          block_time: late ? '2026-01-01T00:16:00.000Z' : exact.block_time,
        }),
    ),
  );
  fc.assert(
    fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
      let state: Payment = paymentDecider.evolve(UNKNOWN_PAYMENT, PaymentCreated);
      const ends: string[] = [];
      for (const asked of commands) {
        const decision = decide(paymentDecider, asked, state);
        if (decision.ok) state = decision.events.reduce(paymentDecider.evolve, state);
        if (state.status !== 'pending') ends.push(state.status);
      }
      expect(new Set(ends).size).toBeLessThanOrEqual(1);
    }),
  );
});
