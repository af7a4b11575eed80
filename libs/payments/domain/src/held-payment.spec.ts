import { specificationOf } from '@tender/eventing/testing';
import { decide, type CommandOf, type Decision } from '@tender/kernel';
import fc from 'fast-check';
import { paymentDecider } from './decide-payment';
import {
  evolvePayment,
  holdStateOf,
  paymentAfter,
  UNKNOWN_PAYMENT,
  type KnownPayment,
  type Payment,
  type PaymentEvent,
} from './payment';
import { paymentSentences } from './payment-sentences';
import direct from './recorded/payment-v1.json';
import history from './recorded/held-payment-v1.json';
import { settlementOf, type SettlementFailed } from './settlement';

const given = specificationOf(paymentDecider);
type Of<Type> = Extract<PaymentEvent, { type: Type }>;
const recorded = history as unknown as { [Type in PaymentEvent['type']]: Of<Type> };
const { PaymentCreated: Created, PaymentConfirmed: Confirmed, PaymentSettled: Settled } = recorded;
const { SettlementRequested: Requested, SettlementSent: Sent, SettlementFailed: Failed } = recorded;
const { HoldCanceled: Canceled } = recorded;
const { terms, confirmation } = Confirmed.data;
const { settlement_id, requested_at } = Requested.data;
const signature = Sent.data.transaction_signature;
const fold = (...events: readonly PaymentEvent[]): KnownPayment =>
  events.reduce(evolvePayment, UNKNOWN_PAYMENT) as KnownPayment;

const held = [Created, Confirmed];
const pending = [...held, Requested];
const processing = [...pending, Sent];
const settled = [...processing, Settled];
const failed = [...processing, Failed];
const again: Of<'SettlementRequested'> = { ...Requested, data: { ...Requested.data, attempt: 2 } };

const request = { type: 'RequestSettlement', settlement_id, requested_at } as const;
const retry = { type: 'RetrySettlement', requested_at } as const;
const send = { type: 'SendSettlement', attempt: 1, transaction_signature: signature } as const;
const complete = { ...send, type: 'CompleteSettlement' } as const;
const { reason, failed_at } = Failed.data;
const fail = { type: 'FailSettlement', attempt: 1, reason, failed_at, transaction_signature: null } as const;
const { canceled_by, canceled_at } = Canceled.data;
const cancel = { type: 'CancelHold', canceled_by, canceled_at } as const;

test('a recorded history of a held payment folds as it did', () => {
  const paid = {
    ...{ status: 'confirmed', terms, confirmation, customer_wallet: confirmation.customer_wallet },
    transaction_signature: confirmation.transaction_signature,
    confirmed_at: confirmation.confirmed_at,
  };
  expect(fold(...held)).toEqual({ ...paid, settlement_id: null });
  expect(fold(...held, Canceled)).toEqual({ ...paid, settlement_id: null, hold_canceled: true });
  const settlement = { settlement_id, attempt: 1, failure_reason: null };
  const capturing = (status: string, transaction_signature: string | null, more: object = {}) => ({
    ...{ ...paid, settlement_id },
    settlement: { ...settlement, status, transaction_signature, ...more },
  });
  expect(fold(...pending)).toEqual(capturing('pending', null));
  expect(fold(...processing)).toEqual(capturing('processing', signature));
  expect(fold(...settled)).toEqual(capturing('completed', signature));
  expect(fold(...failed)).toEqual(capturing('failed', null, { failure_reason: reason }));
  expect(fold(...failed, again)).toEqual(capturing('pending', null, { attempt: 2 }));
});

test.each([[held], [pending], [processing], [settled], [failed], [[...held, Canceled]]])(
  'the last event alone tells the same as the whole history (%#)',
  (events) => {
    expect(paymentAfter(events.at(-1) as PaymentEvent)).toEqual(fold(...events));
  },
);

test('money into the operating wallet confirms the payment, and settles nothing', () => {
  const credit = {
    ...{ token: terms.token, token_mint: terms.token_mint, amount: BigInt(confirmation.received) },
    ...{ transaction_signature: confirmation.transaction_signature, slot: 42 },
    ...{ from_wallet: confirmation.customer_wallet, block_time: confirmation.confirmed_at },
  };
  given(Created).when({ type: 'ConfirmPayment', credit, settlement_id }).then(Confirmed);
});

test('where the money of a hold is', () => {
  const states = [[Created], held, pending, processing, failed, settled, [...held, Canceled]];
  expect(states.map((events) => holdStateOf(fold(...events)))).toEqual([
    ...['held', 'held', 'capturing', 'capturing', 'capturing', 'captured', 'canceled'],
  ]);
  const { PaymentCreated, PaymentConfirmed, PaymentSettled } = direct as never;
  const paid = fold(PaymentCreated, PaymentConfirmed, PaymentSettled);
  expect(holdStateOf(paid)).toBe('none');
  expect(settlementOf(paid)).toMatchObject({
    status: 'completed',
    transaction_signature: paid.transaction_signature,
  });
});

describe('the tables of hold and settlement: what is no arrow is refused by name', () => {
  const histories = {
    unknown: [],
    unpaid: [Created],
    held,
    canceled: [...held, Canceled],
    pending,
    processing,
    completed: settled,
    failed,
    'pending again': [...failed, again],
  };
  const commands = { request, cancel, retry, send, complete, fail };
  type Named = Record<keyof typeof histories, readonly PaymentEvent[] | string>;
  const none = {
    unknown: 'payment_unknown',
    ...{ unpaid: 'settlement_unknown', held: 'settlement_unknown', canceled: 'settlement_unknown' },
  };
  const holdless = { unknown: 'payment_unknown', unpaid: 'payment_not_held' };
  const RETRY = 'settlement_not_retryable';
  const TABLE: Record<keyof typeof commands, Named> = {
    request: {
      ...{ ...holdless, held: [Requested], canceled: 'hold_canceled', pending: [] },
      ...{ processing: [], completed: [], failed: [], 'pending again': [] },
    },
    cancel: {
      ...{ ...holdless, held: [Canceled], canceled: [], pending: 'hold_captured' },
      ...{ processing: 'hold_captured', completed: 'hold_captured', failed: 'hold_captured' },
      'pending again': 'hold_captured',
    },
    retry: {
      ...{ unknown: 'payment_unknown', unpaid: RETRY, held: RETRY, canceled: RETRY, pending: RETRY },
      ...{ processing: RETRY, completed: RETRY, failed: [again], 'pending again': RETRY },
    },
    send: {
      ...{ ...none, pending: [Sent], processing: [], completed: [], failed: 'settlement_failed' },
      'pending again': 'settlement_failed',
    },
    complete: {
      ...{ ...none, pending: [Settled], processing: [Settled], completed: [] },
      ...{ failed: 'settlement_failed', 'pending again': 'settlement_failed' },
    },
    fail: {
      ...{ ...none, pending: [Failed], processing: [Failed], completed: 'settlement_completed' },
      ...{ failed: [], 'pending again': [] },
    },
  };
  const pairs = (Object.keys(histories) as (keyof typeof histories)[]).flatMap((state) =>
    (Object.keys(commands) as (keyof typeof commands)[]).map((name) => [state, name] as const),
  );
  test.each(pairs)('%s, %s', (state, name) => {
    const when = given(...histories[state]).when(commands[name]);
    const expected = TABLE[name][state];
    if (typeof expected === 'string') return void when.thenRefused(expected as never);
    when.then(...expected);
  });

  test('a payment straight to the merchant’s wallet has no hold, and no transfer', () => {
    const { PaymentCreated, PaymentConfirmed, PaymentSettled } = direct as never;
    const paid = given(PaymentCreated, PaymentConfirmed, PaymentSettled);
    paid.when(request).thenRefused('payment_not_held');
    paid.when(cancel).thenRefused('payment_not_held');
    paid.when(send).thenRefused('settlement_unknown');
    paid.when(retry).thenRefused('settlement_not_retryable', { status: 'completed' });
  });
  test('of an attempt that was not requested nothing is known', () =>
    given(...pending).when({ ...complete, attempt: 2 }).thenRefused('settlement_unknown'));
  test('a transaction that never lands may be followed by another; a completed one by none', () => {
    const other = { ...send, transaction_signature: 'S2' };
    given(...processing)
      .when(other)
      .then({ ...Sent, data: { ...Sent.data, transaction_signature: 'S2' } });
    given(...settled).when(other).thenRefused('settlement_completed');
    given(...settled).when({ ...other, type: 'CompleteSettlement' }).thenRefused('settlement_completed');
  });
});

test('in any order of commands: the money is settled once, or goes back, and never both', () => {
  const attempts = [send, complete, fail].flatMap((one) => [one, { ...one, attempt: 2 }]);
  type Asked = CommandOf<typeof paymentDecider>;
  const commands = fc.constantFrom<Asked[]>(request, cancel, retry, ...attempts);
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 30 }), (steps) => {
      let state: Payment = fold(...held);
      const types: string[] = [];
      for (const step of steps) {
        const decision: Decision<PaymentEvent, string> = decide(paymentDecider, step, state);
        if (!decision.ok) continue;
        types.push(...decision.events.map(({ type }) => type));
        state = decision.events.reduce<Payment>(paymentDecider.evolve, state);
      }
      const count = (type: string) => types.filter((one) => one === type).length;
      expect(count('PaymentSettled') + count('HoldCanceled')).toBeLessThanOrEqual(1);
      expect(count('HoldCanceled') * count('SettlementRequested')).toBe(0);
      expect(count('SettlementRequested')).toBeLessThanOrEqual(1 + count('SettlementFailed'));
    }),
  );
});

describe('a held payment says', () => {
  const says = (event: PaymentEvent, actor = 'system:x') => {
    const say = paymentSentences[event.type] as (one: PaymentEvent, asker: object) => object;
    return say(event, { actor });
  };
  const to = terms.hold?.settlement_wallet;
  test.each([
    [Requested, `The settlement of 10.8108 USDC to the merchant’s wallet ${to} was begun.`, 'captured'],
    [again, `to the merchant’s wallet ${to} was begun once more (attempt 2).`, 'by itself'],
    [Sent, 'signed and is sent', 'signers have agreed'],
    [Settled, `it is in the merchant’s wallet ${to}.`, 'final on chain'],
    [Failed, 'The settlement failed.', 'too little money'],
    [Canceled, '10.8108 USDC go back to the wallet that paid.', 'The merchant canceled'],
  ])('what happened to its money (%#)', (event, what, because) => {
    expect(says(event)).toMatchObject({
      what: expect.stringContaining(what) as string,
      because: expect.stringContaining(because) as string,
    });
  });
  test('which transaction failed, and that the time of the hold was over', () => {
    const data = { ...Failed.data, transaction_signature: 'S9' };
    expect(says({ ...Failed, data } as SettlementFailed)).toMatchObject({ transaction_signature: 'S9' });
    const by_system = { ...Canceled, data: { ...Canceled.data, canceled_by: 'system' as const } };
    expect(says(by_system)).toMatchObject({ because: 'The payment intent was not captured in time.' });
  });
});
