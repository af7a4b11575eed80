import { decide, type CommandOf } from '@tender/kernel';
import fc from 'fast-check';
import { subscriptionDecider } from './decide-subscription';
import history from './recorded/subscription-v1.json';
import {
  evolveSubscription,
  newSubscription,
  subscriptionAfter,
  UNKNOWN_SUBSCRIPTION,
  type KnownSubscription,
  type Subscription,
  type SubscriptionEvent,
} from './subscription';
import { figuresOf, subscriptionDueAt } from './subscription-times';
import {
  advance,
  BEGAN,
  cancel,
  create,
  fail,
  OPENED,
  pause,
  pay,
  record,
  request,
  resume,
} from './testing/a-subscription';
import { lived, stepsOf, type Step } from './testing/lived';
import { DAY_MS, later } from './time';

type Recorded = { [One in SubscriptionEvent as One['type']]: One };
const recorded = history as unknown as Recorded;
const { SubscriptionCreated: Created } = recorded;
const fold = (...events: readonly SubscriptionEvent[]) =>
  events.reduce(evolveSubscription, UNKNOWN_SUBSCRIPTION) as KnownSubscription;

describe('a recorded history of version 1 folds as it did', () => {
  const { terms, customer } = Created.data;
  const fresh = newSubscription(Created.data);
  const first = {
    ...{ charge_number: 1, attempt: 1, due_at: BEGAN, expires_at: '2026-02-01T12:00:00.000Z' },
  };
  test('from the beginning', () => {
    expect(fold(Created)).toEqual({
      ...{ status: 'Active', terms, customer, calendar: Created.data.calendar, period_number: 1 },
      ...{ charge: first, opened: null, charge_ended: null, paid_by: null, cycles_completed: 0 },
      ...{ ends_with_period: null, paused: null, cancellation_reason: null },
      ...{ cancelled_at: null, updated_at: BEGAN },
    });
    const { SubscriptionChargeOpened: Opened, SubscriptionChargeEnded: Ended } = recorded;
    expect(fold(Created, Opened)).toEqual({ ...fresh, opened: OPENED });
    const charge_ended = { ended_at: first.expires_at, in_pause: false };
    expect(fold(Created, Opened, Ended)).toEqual({ ...fresh, opened: OPENED, charge_ended });
  });
  test('to the end', () => {
    const { SubscriptionExpired: _, ...life } = recorded;
    expect(fold(...Object.values(life))).toEqual({
      ...{ status: 'Cancelled', terms, customer, calendar: recorded.SubscriptionResumed.data.calendar },
      ...{ period_number: 2, charge: recorded.SubscriptionPeriodOpened.data.charge, opened: null },
      ...{ charge_ended: null, paid_by: null, cycles_completed: 1, ends_with_period: { cancellation_reason: 'too dear' } },
      ...{ paused: null, cancellation_reason: 'too dear', cancelled_at: '2026-03-12T12:00:00.000Z' },
      updated_at: '2026-03-12T12:00:00.000Z',
    });
    expect(fold(Created, recorded.SubscriptionExpired)).toMatchObject({ status: 'Expired' });
  });
});

test('an event of a later version, or of a stream that has not begun, changes nothing', () => {
  const later_event = { ...recorded.SubscriptionPaused, type: 'SubscriptionNoted' } as never;
  expect(fold(Created, later_event)).toEqual(fold(Created));
  expect(fold(recorded.SubscriptionPaused)).toEqual(UNKNOWN_SUBSCRIPTION);
  expect(subscriptionAfter(fold(Created), later_event)).toEqual(fold(Created));
});

/** Anything that can be asked, at any time; the timer looks when it will, and customers pay what they like. */
const plans = fc.record({
  billing_interval: fc.constantFrom('daily', 'weekly', 'monthly', 'yearly'),
  interval_count: fc.integer({ min: 1, max: 3 }),
  trial_days: fc.constantFrom(0, 0, 1, 14),
  max_cycles: fc.option(fc.integer({ min: 1, max: 5 }), { nil: null }),
});
const began = fc
  .tuple(fc.integer({ min: 0, max: 366 * 4 }), fc.integer({ min: 0, max: DAY_MS - 1 }))
  .map(([days, ms]) => later('2026-01-01T00:00:00.000Z', days * DAY_MS + ms));
type Command = CommandOf<typeof subscriptionDecider>;

function commandOf([kind, , choice]: Step, state: KnownSubscription, now: string): Command | null {
  const due = subscriptionDueAt(state);
  switch (kind) {
    case 'advance':
      return due !== null && due <= now ? advance(due, now) : null;
    case 'pay':
      return pay(Math.max(1, state.period_number - (choice % 2)), now, `pay_test_${choice}`);
    case 'pause':
      return pause(now, choice < 12 ? later(now, choice * DAY_MS) : null);
    case 'cancel':
      return choice < 18 ? null : cancel(now, choice < 21);
    case 'open':
      return record(Math.max(1, (state.charge?.charge_number ?? 1) - (choice % 2)));
    case 'unpaid':
      return fail(state.charge?.charge_number ?? 1, now);
    case 'ask':
      return request(now);
    default:
      return resume(now);
  }
}

const kinds = ['advance', 'pay', 'pause', 'resume', 'cancel', 'open', 'ask', 'unpaid', 'advance', 'pay'];
const lives = fc
  .tuple(plans, began, stepsOf(kinds, 40), fc.boolean())
  .map(([plan, from, steps, punctual]) =>
    lived(
      {
        ...{ rules: subscriptionDecider, from, create: create(plan, from), advance },
        ...{ dueAt: subscriptionDueAt, figuresOf, commandOf },
        tellsNext: ({ type }, next) =>
          type === 'SubscriptionRenewed' && next?.type === 'SubscriptionPeriodOpened',
      },
      steps,
      punctual,
    ),
  );

describe('whatever is asked in whatever order and whenever the timer looks', () => {
  const of = <Type extends SubscriptionEvent['type']>(
    events: readonly SubscriptionEvent[],
    type: Type,
  ) => events.filter((event): event is Recorded[Type] => event.type === type);

  test('a period is paid once at most, and none opens before the one before it is', () => {
    fc.assert(
      fc.property(lives, ({ events, state }) => {
        const paid = of(events, 'SubscriptionRenewed').map(({ data }) => data.period_number);
        expect(paid).toEqual(paid.map((_, n) => n + 1));
        expect(paid.length).toBe(state.cycles_completed);
        expect([0, 1]).toContain(state.period_number - paid.length);
        for (const [n, event] of events.entries()) {
          if (event.type !== 'SubscriptionPeriodOpened') continue;
          const before = of(events.slice(0, n), 'SubscriptionRenewed').length;
          expect(event.data.period_number).toBe(before + 1);
        }
      }),
    );
  });

  test('nothing is charged after the end, nor while it is paused, and no charge twice', () => {
    fc.assert(
      fc.property(lives, ({ events, state }) => {
        const numbers: number[] = [];
        let status = '';
        for (const { type, data } of events) {
          const charge = 'charge' in data && type !== 'SubscriptionPaymentFailed' ? data.charge : null;
          if (charge) {
            numbers.push(charge.charge_number);
            expect(['Cancelled', 'Expired', 'Paused']).not.toContain(status);
            expect(charge.attempt).toBeLessThanOrEqual(4);
          }
          if (status === 'Cancelled' || status === 'Expired') expect(type).toBe('SubscriptionRenewed');
          status = data.after.status;
        }
        expect(numbers).toEqual(numbers.map((_, n) => n + 1));
        const { max_cycles } = state.terms.plan;
        expect(max_cycles === null || state.cycles_completed <= max_cycles).toBe(true);
      }),
    );
  });

  test('periods follow each other without overlap, and a row is a state', () => {
    fc.assert(
      fc.property(lives, ({ events, state }) => {
        const opened = of(events, 'SubscriptionPeriodOpened').map(({ data }) => data.calendar);
        for (const [n, { start, end }] of opened.entries()) {
          expect(start < end).toBe(true);
          if (n > 0) expect(start > (opened[n - 1]?.start as string)).toBe(true);
        }
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        expect(fold(...events)).toEqual(state);
      }),
    );
  });
});

test('four years of a monthly subscription that is paid: 48 periods on its day, trial or not', () => {
  fc.assert(
    fc.property(began, fc.constantFrom(0, 14), (from, trial_days) => {
      const { calendar, status, cycles_completed } = paidToTheEnd(from, trial_days, 48);
      expect([status, cycles_completed]).toEqual(['Expired', 48]);
      const { anchor, end } = calendar;
      const [year, month] = [Number(anchor.slice(0, 4)), anchor.slice(4, 7)];
      expect([Number(end.slice(0, 4)), end.slice(4, 7)]).toEqual([year + 4, month]);
    }),
    { numRuns: 50 },
  );
});

/** Each period is paid the moment that it is charged, which is when it begins. */
function paidToTheEnd(from: string, trial_days: number, max_cycles: number): KnownSubscription {
  let state = UNKNOWN_SUBSCRIPTION as Subscription;
  const give = (command: Command) => {
    const decision = decide(subscriptionDecider, command, state);
    expect(decision.ok).toBe(true);
    if (decision.ok) state = decision.events.reduce(evolveSubscription, state);
    return state as KnownSubscription;
  };
  let known = give(create({ trial_days, max_cycles }, from));
  for (let n = 0; n < 2 * max_cycles + 1 && known.status !== 'Expired'; n += 1) {
    const { charge, paid_by, period_number, calendar } = known;
    if (charge) expect(charge.due_at).toBe(calendar.start);
    const owes = charge !== null && paid_by === null;
    const due = subscriptionDueAt(known) as string;
    known = give(owes ? pay(period_number, charge.due_at) : advance(due));
  }
  return known;
}
