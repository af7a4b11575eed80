import { specificationOf } from '@tender/eventing/testing';
import { decide, isoTime, timeOf } from '@tender/kernel';
import fc from 'fast-check';
import { paymentIntentDecider } from './decide-payment-intent';
import {
  evolvePaymentIntent,
  intentAfter,
  UNKNOWN_PAYMENT_INTENT,
  type PaymentIntent,
  type PaymentIntentEvent,
} from './payment-intent';
import automatic from './recorded/payment-intent-v1.json';
import history from './recorded/manual-intent-v1.json';

const given = specificationOf(paymentIntentDecider);
const recorded = history as unknown as { [One in PaymentIntentEvent as One['type']]: One };
const { PaymentIntentCreated: Created, PaymentIntentConfirmed: Confirmed } = recorded;
const { PaymentIntentHeld: Held, PaymentIntentCaptured: Captured } = recorded;
const { PaymentIntentSucceeded: Succeeded, PaymentIntentCanceled: Canceled } = recorded;
const { terms, paid_by, held_at, held_until, transaction_signature } = Held.data;
const { payment_id } = paid_by;
const fold = (...events: readonly PaymentIntentEvent[]): PaymentIntent =>
  events.reduce(evolvePaymentIntent, UNKNOWN_PAYMENT_INTENT);

const processing = [Created, Confirmed];
const held = [...processing, Held];
const captured = [...held, Captured];
const by = (canceled_by: 'merchant' | 'system', canceled_at: string): PaymentIntentEvent => ({
  type: 'PaymentIntentCanceled',
  data: { terms, canceled_at, hold: { paid_by, transaction_signature, canceled_by } },
});

const pay = { type: 'PayPaymentIntent', payment_id, transaction_signature, paid_at: held_at } as const;
const capture = (now = Captured.data.captured_at) => ({ type: 'CapturePaymentIntent', now }) as const;
const cancel = { type: 'CancelPaymentIntent', now: Canceled.data.canceled_at } as const;
const end = (due_at = held_until) => ({ type: 'EndIntentHold', due_at }) as const;
const settled_at = Succeeded.data.succeeded_at;
const settle = { type: 'SettlePaymentIntent', payment_id, settled_at } as const;
const expire = { type: 'ExpirePaymentIntent', due_at: held_until } as const;

test('a recorded history of a manual intent folds as it did', () => {
  const { client_secret_hash } = Created.data;
  const known = {
    ...{ status: 'processing', terms, client_secret_hash, wrong_secrets_at: [], paid_by },
    ...{ transaction_signature, failure_reason: null },
  };
  const hold = { status: 'held', until: held_until };
  expect(fold(...held)).toEqual({ ...known, hold });
  expect(fold(...captured)).toEqual({ ...known, hold: { ...hold, status: 'captured' } });
  const succeeded = { ...known, status: 'succeeded', hold: { ...hold, status: 'captured' } };
  expect(fold(...captured, Succeeded)).toEqual(succeeded);
  expect(fold(...held, Canceled)).toEqual({
    ...{ ...known, status: 'canceled' },
    hold: { ...hold, status: 'canceled', canceled_by: 'merchant' },
  });
});

test.each([
  [[...captured, Succeeded]],
  [[...held, Canceled]],
])('what is published of it, the last event alone tells (%#)', (events) => {
  const state: unknown = fold(...events);
  const { client_secret_hash: _, hold: __, ...known } = state as Record<string, unknown>;
  expect(intentAfter(events.at(-1) as never)).toEqual(known);
});

describe('the table: an arrow is an event, told again is nothing, and all else is refused by name', () => {
  const histories = {
    requires_payment: [Created],
    processing,
    held,
    captured,
    succeeded: [...captured, Succeeded],
    canceled: [...held, Canceled],
    unknown: [],
  };
  const commands = { pay, capture: capture(), cancel, end: end(), settle, expire };
  const over = { processing: [], captured: [], succeeded: [], canceled: [] };
  type Arrows = Partial<Record<keyof typeof histories, readonly PaymentIntentEvent[]>>;
  const ARROWS: Record<keyof typeof commands, Arrows> = {
    pay: { processing: [Held], held: [], captured: [], succeeded: [], canceled: [] },
    capture: { held: [Captured] },
    cancel: { held: [Canceled] },
    end: { ...over, requires_payment: [], held: [by('system', held_until)] },
    settle: { captured: [Succeeded], succeeded: [] },
    expire: {
      ...{ ...over, held: [] },
      requires_payment: [{ type: 'PaymentIntentExpired', data: { terms, expired_at: held_until } }],
    },
  };
  const pairs = (Object.keys(histories) as (keyof typeof histories)[]).flatMap((state) =>
    (Object.keys(commands) as (keyof typeof commands)[]).map((name) => [state, name] as const),
  );
  test.each(pairs)('%s, %s', (state, name) => {
    const when = given(...histories[state]).when(commands[name]);
    const events = ARROWS[name][state];
    if (events) return void when.then(...events);
    when.thenRefused(state === 'unknown' ? 'payment_intent_unknown' : 'invalid_intent_state');
  });
});

describe('time', () => {
  const before = isoTime(timeOf(held_until) - 1);
  test('money is held for seven days, and to their last millisecond it can be captured', () => {
    expect(timeOf(held_until) - timeOf(held_at)).toBe(7 * 24 * 60 * 60 * 1000);
    const captured = { ...Captured, data: { ...Captured.data, captured_at: before } };
    given(...held).when(capture(before)).then(captured);
  });
  test('from then on it cannot, though its cancellation is not in the log yet', () =>
    given(...held)
      .when(capture(held_until))
      .thenRefused('invalid_intent_state', { status: 'canceled', payment_id, payment_url: paid_by.payment_url }));
  test('it ends no earlier', () => given(...held).when(end(before)).thenRefused('hold_end_too_early'));
});

test('the payment of another intent moves none, and an automatic one holds nothing', () => {
  given(...captured).when({ ...settle, payment_id: 'pay_test_other' }).thenRefused('invalid_intent_state');
  const events = automatic as unknown as typeof recorded;
  const paying = [events.PaymentIntentCreated, events.PaymentIntentConfirmed];
  given(...paying).when(capture()).thenRefused('invalid_intent_state', { status: 'processing' });
  given(...paying, events.PaymentIntentSucceeded)
    .when(capture())
    .thenRefused('invalid_intent_state', { status: 'succeeded' });
});

test('in any order of commands: captured or canceled, once, and never both', () => {
  const commands = fc.constantFrom(pay, capture(), cancel, end(), settle, expire);
  fc.assert(
    fc.property(fc.array(commands, { maxLength: 30 }), (steps) => {
      let state = fold(...processing);
      const types: string[] = [];
      for (const step of steps) {
        const decision = decide(paymentIntentDecider, step, state);
        if (!decision.ok) continue;
        types.push(...decision.events.map(({ type }) => type));
        state = decision.events.reduce<PaymentIntent>(paymentIntentDecider.evolve, state);
      }
      const fates = types.filter((type) => /Captured|Canceled/.test(type));
      expect(fates.length).toBeLessThanOrEqual(1);
      if (types.includes('PaymentIntentSucceeded')) expect(fates).toEqual(['PaymentIntentCaptured']);
    }),
  );
});
