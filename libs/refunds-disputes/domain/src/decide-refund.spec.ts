import { outcomeOf, played } from '@tender/eventing/testing';
import { decide, type CommandOf } from '@tender/kernel';
import fc from 'fast-check';
import { paymentCaseDecider } from './decide-payment-case';
import type { RefundedPayment } from './decide-refund';
import { UNKNOWN_PAYMENT_CASE, type KnownPaymentCase } from './payment-case';
import {
  completeRefund as complete,
  failRefund as fail,
  initiate,
  NOW,
  PAYMENT,
  refundId,
  sendRefund as send,
} from './testing/a-refund';

type Command = CommandOf<typeof paymentCaseDecider>;
const play = (...commands: readonly Command[]) => played(paymentCaseDecider, commands);
const known = (...commands: readonly Command[]) => play(...commands).state as KnownPaymentCase;
const outcome = (command: Command, ...before: readonly Command[]) => {
  const decision = decide(paymentCaseDecider, command, play(...before).state);
  return decision.ok ? outcomeOf(decision) : [decision.refusal, decision.details];
};
const second = (amount_usd_cents = '2500') =>
  initiate({ refund_id: refundId(2), amount_usd_cents });

describe('the table: every arrow that is not in it is refused by name', () => {
  const histories = {
    unknown: [],
    pending: [initiate()],
    processing: [initiate(), send()],
    'completed, not heard of as sent': [initiate(), complete()],
    completed: [initiate(), send(), complete()],
    failed: [initiate(), fail()],
    'failed, sent': [initiate(), send(), fail()],
  } satisfies Record<string, readonly Command[]>;
  const commands = {
    'the same': initiate(),
    another: second(),
    sent: send(),
    'sent anew': send(1, 'signature 2'),
    completed: complete(),
    'completed by another': complete(1, 'signature 2'),
    failed: fail(),
    'failed otherwise': fail(1, 'sanctions_hit'),
  };
  const BEGINS = 'RefundInitiated';
  const SENT = 'RefundSent';
  const DONE = 'RefundCompleted';
  const FAILED = 'RefundFailed';
  const BUSY = '! refund_in_progress';
  const NONE = '! refund_unknown';
  const ENDED = '! refund_ended';
  const N = 'nothing';
  const TABLE: Record<keyof typeof histories, readonly string[]> = {
    // the same, another, sent, sent anew, completed, completed by another, failed, failed otherwise
    unknown: [BEGINS, BEGINS, NONE, NONE, NONE, NONE, NONE, NONE],
    pending: [N, BUSY, SENT, SENT, DONE, DONE, FAILED, FAILED],
    processing: [N, BUSY, N, SENT, DONE, DONE, FAILED, FAILED],
    'completed, not heard of as sent': [N, BEGINS, N, ENDED, N, ENDED, ENDED, ENDED],
    completed: [N, BEGINS, N, ENDED, N, ENDED, ENDED, ENDED],
    failed: [N, BEGINS, ENDED, ENDED, ENDED, ENDED, N, ENDED],
    'failed, sent': [N, BEGINS, ENDED, ENDED, ENDED, ENDED, N, ENDED],
  };
  test.each(Object.keys(TABLE) as (keyof typeof histories)[])('%s', (name) => {
    const { state } = play(...histories[name]);
    const [refund] = state.status === 'unknown' ? [] : state.refunds;
    expect(refund?.status ?? 'unknown').toBe(name.replace(/,.*/, ''));
    const outcomes = Object.values(commands).map((command) =>
      outcomeOf(decide(paymentCaseDecider, command, state)),
    );
    expect(outcomes).toEqual(TABLE[name]);
  });
});

describe('a refund', () => {
  test('says all that it is, and goes to the wallet that paid (M4)', () => {
    const [{ status, terms }] = known(initiate()).refunds as [KnownPaymentCase['refunds'][0]];
    expect(status).toBe('pending');
    expect(terms).toEqual({
      ...{ refund_id: refundId(), payment_id: PAYMENT.payment_id, mode: 'test' },
      ...{ merchant_id: PAYMENT.merchant_id, amount_usd_cents: '2500', token: 'USDC' },
      ...{ token_amount: '25000000', customer_wallet: PAYMENT.customer_wallet },
      ...{ payment_usd_cents: '10000', payment_token_amount: '100000000' },
      ...{ paid_by: PAYMENT.transaction_signature, customer_subject: 'customer-7' },
      ...{ customer_email_sealed: 'sealed', reason: 'Damaged', metadata: { order: '42' } },
      ...{ initiated_by: 'merchant', dispute_id: null, of_canceled_hold: false, webhook_url: null },
      ...{ created_at: NOW, estimated_completion: '2026-01-02T10:01:00.000Z' },
    });
  });
  test('has the newest transaction that was signed for it, and says why it failed', () => {
    const of = (...commands: readonly Command[]) => known(...commands).refunds[0];
    expect(of(initiate(), send(), send(1, 'signature 2'))).toMatchObject({
      ...{ status: 'processing', transaction_signature: 'signature 2' },
    });
    expect(of(initiate(), send(), complete())).toMatchObject({
      ...{ status: 'completed', transaction_signature: 'signature 1', completed_at: NOW },
    });
    expect(of(initiate(), send(), fail(1, 'sanctions_hit'))).toMatchObject({
      ...{ status: 'failed', transaction_signature: null, failure_reason: 'sanctions_hit' },
    });
  });
});

describe('what is not refundable', () => {
  const NOT: Partial<RefundedPayment>[] = [
    { status: 'pending', transaction_signature: null },
    { status: 'failed', transaction_signature: null },
    { status: 'expired', transaction_signature: null },
    { customer_wallet: null },
    { hold: 'held' },
    { hold: 'capturing' },
    { hold: 'canceled' },
  ];
  test.each(NOT)('%j', (payment) =>
    expect(outcome(initiate({}, payment))).toEqual(['payment_not_refundable', undefined]),
  );
  test('one that is not refundable is named before what it has left', () => {
    const much = { amount_usd_cents: '999999' };
    expect(outcome(initiate(much, { status: 'pending' }))).toEqual([
      ...['payment_not_refundable', undefined],
    ]);
  });
  test('a captured one is', () =>
    expect(outcome(initiate({}, { hold: 'captured' }))).toBe('RefundInitiated'));

  const canceled = { hold: 'canceled' } as const;
  const all = { amount_usd_cents: '10000', of_canceled_hold: true } as const;
  test('a canceled hold is sent back by its cancellation, and by others after that has failed', () => {
    expect(outcome(initiate(all, canceled))).toBe('RefundInitiated');
    const again = initiate({ refund_id: refundId(2), amount_usd_cents: '10000' }, canceled);
    const first = initiate(all, canceled);
    expect(outcome(again, first)).toEqual(['refund_in_progress', undefined]);
    expect(outcome(again, first, fail())).toBe('RefundInitiated');
    expect(outcome(again, first, complete())).toEqual(['payment_already_refunded', undefined]);
  });
  test('no other payment is sent back as a canceled hold', () => {
    for (const hold of ['none', 'held', 'capturing', 'captured'] as const) {
      expect(outcome(initiate(all, { hold }))).toEqual(['payment_not_refundable', undefined]);
    }
  });
});

describe('how much (M1, M2)', () => {
  test('more than is left', () => {
    const half = [initiate({ amount_usd_cents: '5000' }), complete()];
    expect(outcome(second('5001'), ...half)).toEqual([
      ...['refund_amount_exceeds_remaining', { remaining_usd: 50 }],
    ]);
    expect(outcome(second('5000'), ...half)).toBe('RefundInitiated');
  });
  test('nothing is left', () =>
    expect(outcome(second('1'), initiate({ amount_usd_cents: '10000' }), complete())).toEqual([
      ...['payment_already_refunded', undefined],
    ]));
  test('one that has failed frees its part', () => {
    const failed = [initiate({ amount_usd_cents: '10000' }), send(), fail()];
    expect(outcome(second('10000'), ...failed)).toBe('RefundInitiated');
  });
  test('a part of SOL is rounded down to base units, the last takes the rest', () => {
    const sol = { token: 'SOL', amount_usd_cents: '1000', token_amount: '66666667' } as const;
    const parts = [1, 2, 3].flatMap((number) => [
      initiate({ refund_id: refundId(number), amount_usd_cents: number < 3 ? '333' : '334' }, sol),
      complete(number),
    ]);
    expect(known(...parts).refunds.map(({ terms }) => terms.token_amount)).toEqual([
      ...['22200000', '22200000', '22266667'],
    ]);
  });
  test('a part below one base unit', () => {
    const dear = { token: 'SOL', token_amount: '99' } as const;
    expect(outcome(initiate({ amount_usd_cents: '1' }, dear))).toEqual([
      ...['refund_below_base_unit', undefined],
    ]);
  });
});

test('in any order of commands: never above the payment, and the last takes all the rest (M1, M2, M23)', () => {
  const payments = fc.record({
    cents: fc.integer({ min: 1, max: 5_000 }),
    units: fc.bigInt({ min: 1n, max: 10_000_000_007n }),
  });
  const steps = fc.array(
    fc.record({
      cents: fc.integer({ min: 1, max: 2_000 }),
      then: fc.constantFrom('nothing', 'sent', 'completed', 'failed'),
      takes_rest: fc.boolean(),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(payments, steps, ({ cents, units }, all) => {
      const payment = { amount_usd_cents: `${cents}`, token_amount: `${units}` };
      const commands = all.flatMap((step, number): Command[] => {
        const amount_usd_cents = `${step.takes_rest ? cents : step.cents}`;
        const begins = initiate({ refund_id: refundId(number), amount_usd_cents }, payment);
        if (step.then === 'sent') return [begins, send(number)];
        if (step.then === 'completed') return [begins, send(number), complete(number)];
        return step.then === 'failed' ? [begins, fail(number)] : [begins];
      });
      const { state, told } = play(...commands);
      const refunds = state.status === 'unknown' ? [] : state.refunds;
      const counted = refunds.filter(({ status }) => status !== 'failed');
      const sum = (of: 'amount_usd_cents' | 'token_amount') =>
        counted.reduce((total, { terms }) => total + BigInt(terms[of]), 0n);
      const under_way = counted.filter(({ status }) => status !== 'completed');
      expect(told.length).toBe(commands.length);
      expect(under_way.length).toBeLessThanOrEqual(1);
      expect(sum('amount_usd_cents') <= BigInt(cents)).toBe(true);
      expect(sum('token_amount') <= units).toBe(true);
      expect(sum('token_amount') === units).toBe(sum('amount_usd_cents') === BigInt(cents));
    }),
  );
});

test('the rest can be sent back at any time, and then it is all of it', () => {
  const { state } = play(initiate({ amount_usd_cents: '3333' }), complete());
  const { state: after } = played(paymentCaseDecider, [second('6667'), complete(2)], state);
  const sum = (after as KnownPaymentCase).refunds.reduce(
    (total, { terms }) => total + BigInt(terms.token_amount),
    0n,
  );
  expect(sum).toBe(BigInt(PAYMENT.token_amount));
  expect(paymentCaseDecider.initial).toBe(UNKNOWN_PAYMENT_CASE);
});

test.each([
  ['USDC', '10000000'],
  ['SOL', '66666667'],
] as const)('a thousand parts of one cent in %s are the payment, and there is no part more (M1)', (token, token_amount) => {
  const payment = { token, token_amount, amount_usd_cents: '1000' };
  const part = (number: number) =>
    initiate({ refund_id: refundId(number), amount_usd_cents: '1' }, payment);
  const parts = Array.from({ length: 1_000 }, (_, number) => [part(number), complete(number)]);
  const { state, told } = play(...parts.flat(), part(1_000));
  expect(told.at(-1)).toBe('! payment_already_refunded');
  const { refunds } = state as KnownPaymentCase;
  const amounts = refunds.map(({ terms }) => BigInt(terms.token_amount));
  expect(amounts).toHaveLength(1_000);
  expect(amounts.reduce((total, amount) => total + amount, 0n)).toBe(BigInt(token_amount));
});
