import { specificationOf } from '@tender/eventing/testing';
import { decide, isoTime, timeOf } from '@tender/kernel';
import fc from 'fast-check';
import {
  paymentIntentDecider,
  type CancelPaymentIntent,
  type ConfirmPaymentIntent,
  type CreatePaymentIntent,
  type ExpirePaymentIntent,
  type FailPaymentIntent,
  type PayPaymentIntent,
} from './decide-payment-intent';
import { UNKNOWN_PAYMENT_INTENT, type PaymentIntent, type PaymentIntentEvent } from './payment-intent';
import history from './recorded/payment-intent-v1.json';

const given = specificationOf(paymentIntentDecider);
const recorded = history as unknown as { [One in PaymentIntentEvent as One['type']]: One };
const { PaymentIntentCreated: Created, PaymentIntentRequiresPayment: RequiresPayment } = recorded;
const { PaymentIntentConfirmed: Confirmed, ClientSecretRefused: SecretRefused } = recorded;
const { PaymentIntentSucceeded: Succeeded, PaymentIntentFailed: Failed } = recorded;
const { PaymentIntentExpired: Expired, PaymentIntentCanceled: Canceled } = recorded;
const { terms } = Created.data;
const { paid_by, payment } = Confirmed.data;
const { payment_id, payment_url } = paid_by;
const begun = [Created, RequiresPayment];

const NOON = '2026-01-01T12:00:00.000Z';
const create = (amount_max = 99_999n): CreatePaymentIntent => ({
  ...{ type: 'CreatePaymentIntent', intent: Created.data, amount_max },
});
const confirm = (changes: Partial<ConfirmPaymentIntent> = {}): ConfirmPaymentIntent => ({
  ...{ type: 'ConfirmPaymentIntent', has_secret: true, ready: { paid_by, payment }, now: NOON },
  ...changes,
});
const wrong = (now = NOON) => confirm({ has_secret: false, ready: null, now });
const cancel = (now = Canceled.data.canceled_at): CancelPaymentIntent => ({
  ...{ type: 'CancelPaymentIntent', now },
});
const expire = (due_at = terms.expires_at): ExpirePaymentIntent => ({
  ...{ type: 'ExpirePaymentIntent', due_at },
});
const succeed = (id = payment_id): PayPaymentIntent => ({
  ...{ type: 'PayPaymentIntent', payment_id: id },
  transaction_signature: Succeeded.data.transaction_signature,
  paid_at: Succeeded.data.succeeded_at,
});
const fail = (id = payment_id): FailPaymentIntent => ({
  ...{ type: 'FailPaymentIntent', payment_id: id, failure_reason: 'payment_expired' },
  failed_at: Failed.data.failed_at,
});
const refusedAt = (now: string): PaymentIntentEvent => ({
  ...{ ...SecretRefused, data: { ...SecretRefused.data, refused_at: now } },
});
const after = (time: string, ms: number) => isoTime(timeOf(time) + ms);
const MINUTE = 60_000;

describe('create', () => {
  test('waits for its payment from the same append on', () =>
    given().when(create()).then(Created, RequiresPayment));
  test('above the maximum', () =>
    given().when(create(1000n)).thenRefused('amount_too_large', { amount_max_usd: 10 }));
  test('of one that exists', () => given(Created).when(create()).thenRefused('payment_intent_exists'));
});

describe('the table: an arrow is an event, told again is nothing, and all else is refused by name', () => {
  const histories = {
    unknown: [],
    requires_payment: begun,
    processing: [...begun, Confirmed],
    succeeded: [...begun, Confirmed, Succeeded],
    failed: [...begun, Confirmed, Failed],
    canceled: [...begun, Canceled],
    expired: [...begun, Expired],
  } satisfies Record<PaymentIntent['status'], readonly PaymentIntentEvent[]>;
  const commands = {
    confirm: confirm(),
    'confirm with a wrong secret': wrong(),
    cancel: cancel(),
    timeout: expire(),
    'payment verified': succeed(),
    'verification fails': fail(),
  };
  type Status = keyof typeof histories;
  type Name = keyof typeof commands;
  type Arrows = Partial<Record<Status, readonly PaymentIntentEvent[]>>;
  const over = { processing: [], succeeded: [], failed: [], canceled: [], expired: [] };
  const ARROWS: Record<Name, Arrows> = {
    confirm: { requires_payment: [Confirmed] },
    'confirm with a wrong secret': { requires_payment: [refusedAt(NOON)] },
    cancel: { requires_payment: [Canceled] },
    timeout: { ...over, requires_payment: [Expired] },
    'payment verified': { processing: [Succeeded], succeeded: [] },
    'verification fails': { processing: [Failed], failed: [] },
  };
  const pairs = (Object.keys(histories) as Status[]).flatMap((status) =>
    (Object.keys(commands) as Name[]).map((name) => [status, name] as const),
  );
  test.each(pairs)('%s, %s', (status, name) => {
    const when = given(...histories[status]).when(commands[name]);
    const events = ARROWS[name][status];
    if (events) return void when.then(...events);
    if (status === 'unknown') return void when.thenRefused('payment_intent_unknown');
    when.thenRefused('invalid_intent_state', { status });
  });
  test('who comes too late learns which payment there is', () =>
    given(...histories.processing)
      .when(confirm())
      .thenRefused('invalid_intent_state', { status: 'processing', payment_id, payment_url }));
  test('another payment moves no intent', () => {
    given(...histories.processing).when(succeed('pay_test_other')).thenRefused('invalid_intent_state');
    given(...histories.processing).when(fail('pay_test_other')).thenRefused('invalid_intent_state');
  });
});

describe('time', () => {
  const { expires_at } = terms;
  const over = { status: 'expired' };
  test('to the last millisecond it can be confirmed, and canceled', () => {
    const last = after(expires_at, -1);
    given(...begun).when(confirm({ now: last })).then(Confirmed);
    given(...begun)
      .when(cancel(last))
      .then({ ...Canceled, data: { terms, canceled_at: last } });
  });
  test('from its time on it cannot, though its expiry is not in the log yet', () => {
    given(...begun).when(confirm({ now: expires_at })).thenRefused('invalid_intent_state', over);
    given(...begun).when(wrong(expires_at)).thenRefused('invalid_intent_state', over);
    given(...begun).when(cancel(expires_at)).thenRefused('invalid_intent_state', over);
  });
  test('it expires no earlier', () =>
    given(...begun).when(expire(after(expires_at, -1))).thenRefused('expiry_too_early'));
});

describe('wrong client secrets', () => {
  const five = (gap_ms: number) => [0, 1, 2, 3, 4].map((n) => refusedAt(after(NOON, n * gap_ms)));
  const last = after(NOON, 4 * MINUTE);
  const locked_until = after(last, 15 * MINUTE);
  const locked = given(...begun, ...five(MINUTE));
  test('four lock nothing', () =>
    given(...begun, ...five(MINUTE).slice(1)).when(confirm({ now: last })).then(Confirmed));
  test('five within 15 minutes lock it for 15 minutes, for the right one, too', () => {
    const just_before = after(locked_until, -1);
    locked.when(confirm({ now: last })).thenRefused('confirm_locked', { locked_until });
    locked.when(confirm({ now: just_before })).thenRefused('confirm_locked', { locked_until });
    locked.when(wrong(just_before)).thenRefused('confirm_locked', { locked_until });
  });
  test('then it can be confirmed, and a wrong one counts anew', () => {
    locked.when(confirm({ now: locked_until })).then(Confirmed);
    locked.when(wrong(locked_until)).then(refusedAt(locked_until));
    given(...begun, ...five(MINUTE), refusedAt(locked_until))
      .when(confirm({ now: locked_until }))
      .then(Confirmed);
  });
  test('five in more than 15 minutes lock nothing', () =>
    given(...begun, ...five(4 * MINUTE))
      .when(confirm({ now: after(NOON, 16 * MINUTE) }))
      .then(Confirmed));
  test('a locked one can be canceled', () =>
    locked.when(cancel(last)).then({ ...Canceled, data: { terms, canceled_at: last } }));
  test('a confirm that nothing was made ready for is refused', () =>
    given(...begun).when(confirm({ ready: null })).thenRefused('invalid_intent_state'));
});

test('whatever comes in whatever order: one confirm at most, one end at most, and nothing after it', () => {
  const commands = fc.constantFrom(confirm(), wrong(), cancel(NOON), expire(), succeed(), fail());
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 30 }), (steps) => {
      let state: PaymentIntent = begun.reduce<PaymentIntent>(
        paymentIntentDecider.evolve,
        UNKNOWN_PAYMENT_INTENT,
      );
      const types: string[] = [];
      for (const step of steps) {
        const decision = decide(paymentIntentDecider, step, state);
        if (!decision.ok) continue;
        types.push(...decision.events.map(({ type }) => type));
        state = decision.events.reduce<PaymentIntent>(paymentIntentDecider.evolve, state);
      }
      const ends = types.filter((type) => /Succeeded|Failed|Expired|Canceled/.test(type));
      expect(types.filter((type) => type === 'PaymentIntentConfirmed').length).toBeLessThanOrEqual(1);
      expect(ends.length).toBeLessThanOrEqual(1);
      if (ends.length > 0) expect(types.at(-1)).toBe(ends[0]);
    }),
  );
});
