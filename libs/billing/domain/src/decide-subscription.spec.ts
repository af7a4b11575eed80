import { decide, type CommandOf } from '@tender/kernel';
import { subscriptionDecider } from './decide-subscription';
import type { KnownSubscription, Subscription } from './subscription';
import { figuresOf, mayBeMailed, nextPaymentAttempt, subscriptionDueAt } from './subscription-times';
import {
  advance,
  BEGAN,
  cancel,
  create,
  fail,
  MONTHLY,
  OPENED,
  pause,
  pay,
  record,
  request,
  resume,
} from './testing/a-subscription';
import { outcomeOf, played } from '@tender/eventing/testing';
import { DAY_MS, later } from './time';

type Command = CommandOf<typeof subscriptionDecider>;
const play = (...commands: readonly Command[]) => played(subscriptionDecider, commands);
const known = (...commands: readonly Command[]) => play(...commands).state as KnownSubscription;
const day = (n: number, from = BEGAN) => later(from, n * DAY_MS);
const FEBRUARY = '2026-02-28T12:00:00.000Z';
const MARCH = '2026-03-31T12:00:00.000Z';
const APRIL = '2026-04-30T12:00:00.000Z';

describe('the table: every arrow that is not in it is refused by name', () => {
  const owing = [create()];
  const paid = [create(), pay(1, day(0))];
  const past_due = [create(), advance(day(1))];
  const histories = {
    unknown: [],
    Trialing: [create({ trial_days: 14 })],
    'Active, owing': owing,
    'Active, paid': paid,
    'Active, ended': [...owing, record(1), advance(day(1))],
    PastDue: past_due,
    'Paused, owing': [...past_due, pause(day(1))],
    'Paused, paid': [...paid, pause(day(1))],
    'Cancelled, owing': [...owing, cancel(day(0))],
    'Cancelled, paid': [...paid, cancel(day(0))],
    Expired: [create({ max_cycles: 1 }), pay(1, day(0)), advance(FEBRUARY)],
  } satisfies Record<string, readonly Command[]>;
  const at = day(1, BEGAN);
  const commands = (state: Subscription) => ({
    create: create(),
    due: advance(state.status === 'unknown' ? at : (subscriptionDueAt(state) ?? at)),
    'charge opened': record(state.status === 'unknown' ? 1 : (state.charge?.charge_number ?? 1)),
    'charge unpaid': fail(state.status === 'unknown' ? 1 : (state.charge?.charge_number ?? 1), at),
    'asked to pay': request(at),
    paid: pay(1, at, 'pay_test_other'),
    pause: pause(at),
    resume: resume(at),
    cancel: cancel(at),
    'cancel at period end': cancel(at, true),
  });
  const NONE = '! subscription_unknown';
  const WRONG = '! invalid_subscription_state';
  const DONE = '! period_already_paid';
  const OVER = '! charge_over';
  const IS = '! subscription_already_cancelled';
  const EXISTS = '! subscription_exists';
  const CREATED = 'SubscriptionCreated';
  const OPENS = 'SubscriptionPeriodOpened';
  const LINKED = 'SubscriptionChargeOpened';
  const FAILED = 'SubscriptionPaymentFailed, SubscriptionChargeDue';
  const RENEWED = 'SubscriptionRenewed';
  const PAUSED = 'SubscriptionPaused';
  const RESUMED = 'SubscriptionResumed';
  const ENDED = 'SubscriptionCancelled';
  const ENDS = 'SubscriptionCancelRequested';
  const NOT_DUE = '! payment_not_due';
  const EARLY = '! period_unknown';
  const N = 'nothing';
  const ANEW = 'SubscriptionResumed, SubscriptionChargeDue';
  const TABLE: Record<keyof typeof histories, readonly string[]> = {
    // create, due, charge opened, charge unpaid, asked to pay, paid, pause, resume, cancel, cancel at period end
    unknown: [CREATED, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    Trialing: [EXISTS, OPENS, OVER, N, NOT_DUE, EARLY, WRONG, WRONG, ENDED, ENDS],
    'Active, owing': [EXISTS, FAILED, LINKED, N, FAILED, RENEWED, PAUSED, WRONG, ENDED, ENDS],
    'Active, paid': [EXISTS, OPENS, OVER, N, NOT_DUE, DONE, PAUSED, WRONG, ENDED, ENDS],
    'Active, ended': [EXISTS, N, N, FAILED, N, RENEWED, PAUSED, WRONG, ENDED, ENDS],
    PastDue: [EXISTS, FAILED, LINKED, N, N, RENEWED, PAUSED, WRONG, ENDED, ENDS],
    'Paused, owing': [EXISTS, N, OVER, N, WRONG, RENEWED, WRONG, ANEW, ENDED, ENDS],
    'Paused, paid': [EXISTS, N, OVER, N, WRONG, DONE, WRONG, RESUMED, ENDED, ENDS],
    'Cancelled, owing': [EXISTS, N, OVER, N, IS, RENEWED, WRONG, WRONG, IS, IS],
    'Cancelled, paid': [EXISTS, N, OVER, N, IS, DONE, WRONG, WRONG, IS, IS],
    Expired: [EXISTS, N, OVER, N, WRONG, DONE, WRONG, WRONG, WRONG, WRONG],
  };
  const STAYS: readonly (keyof typeof histories)[] = ['Cancelled, owing', 'Paused, owing'];
  test.each(Object.keys(TABLE) as (keyof typeof histories)[])('%s', (name) => {
    const { state } = played(subscriptionDecider, histories[name]);
    expect(state.status).toBe(name.replace(/,.*/, ''));
    const outcomes = Object.values(commands(state)).map((command) =>
      outcomeOf(decide(subscriptionDecider, command, state)),
    );
    expect(outcomes).toEqual(TABLE[name]);
  });
  test.each(STAYS)('%s: what is paid counts, and it stays what it is', (name) => {
    const before = known(...histories[name]);
    const after = played(subscriptionDecider, [pay(1, day(3))], before).state as KnownSubscription;
    const paid_by = { payment_id: 'pay_test_1', paid_at: day(3) };
    expect(after).toEqual({ ...before, cycles_completed: 1, paid_by, updated_at: day(3) });
  });
  test('a plan that is inactive takes no subscription', () =>
    expect(play({ ...create(), plan_is_active: false }).told).toEqual(['! plan_inactive']));
});

describe('trial', () => {
  const trial = create({ trial_days: 14 });
  test('ends after whole days; until then nothing is charged', () => {
    const state = known(trial);
    expect(figuresOf(state)).toEqual({
      ...{ status: 'Trialing', current_period_start: BEGAN, current_period_end: day(14) },
      ...{ next_payment_attempt: day(14), cycles_completed: 0 },
    });
    expect([state.terms.trial_end, state.charge]).toEqual([day(14), null]);
  });
  test('then the first period begins, which is the anchor', () => {
    const state = known(trial, advance(day(14)), pay(1, day(14)), advance('2026-03-14T12:00:00.000Z'));
    expect(state.calendar).toEqual({
      ...{ anchor: day(14), index: 1, start: '2026-03-14T12:00:00.000Z', end: '2026-04-14T12:00:00.000Z' },
    });
    expect(state.charge).toMatchObject({ charge_number: 2, attempt: 1 });
  });
  test('cancelled at its end: nothing is ever charged', () => {
    const asked = [trial, cancel(day(2), true), cancel(day(3), true)];
    const { told, state } = play(...asked, advance(day(14)));
    const [, ...after] = told;
    expect(after).toEqual(['SubscriptionCancelRequested', 'nothing', 'SubscriptionCancelled']);
    expect(state).toMatchObject({ cancellation_reason: 'too dear', cancelled_at: day(14), charge: null });
  });
});

describe('periods', () => {
  test('the first is charged at once, and each moves on at its end, to the second', () => {
    const paid = known(create(), record(1), pay(1, day(0.01)));
    expect(paid.calendar).toMatchObject({ start: BEGAN, end: FEBRUARY });
    expect([paid.opened, nextPaymentAttempt(paid)]).toEqual([OPENED, FEBRUARY]);
    const two_paid = [create(), pay(1, day(0.01)), advance(FEBRUARY), pay(2, FEBRUARY)];
    const march = known(...two_paid, advance(MARCH));
    expect(march.calendar).toMatchObject({ start: MARCH, end: APRIL });
    expect(march.charge).toEqual({
      ...{ charge_number: 3, attempt: 1, due_at: MARCH, expires_at: later(MARCH, DAY_MS) },
    });
    expect([march.opened, march.paid_by, march.cycles_completed]).toEqual([null, null, 2]);
  });
  test('a timer that looks too early is refused, and one that looks twice finds nothing', () => {
    expect(play(create(), pay(1, day(0)), advance(day(27))).told.at(-1)).toBe('! not_due_yet');
    const { told } = play(create(), pay(1, day(0)), advance(FEBRUARY), advance(FEBRUARY));
    expect(told.at(-1)).toBe('! not_due_yet');
  });
  test('a period is paid once, by whichever payment comes first', () => {
    const { told, state } = play(create(), pay(1, day(0)), pay(1, day(0)), pay(1, day(0), 'pay_test_2'));
    expect(told.slice(1)).toEqual(['SubscriptionRenewed', 'nothing', '! period_already_paid']);
    expect(state).toMatchObject({ cycles_completed: 1 });
    const next = [create(), pay(1, day(0)), advance(FEBRUARY)];
    expect(play(...next, pay(1, FEBRUARY, 'pay_test_2')).told.at(-1)).toBe('! period_already_paid');
    expect(play(...next, pay(3, FEBRUARY)).told.at(-1)).toBe('! period_unknown');
  });
  test('it expires with the last period that it was made for', () => {
    const two = [create({ max_cycles: 2 }), pay(1, day(0)), advance(FEBRUARY), pay(2, FEBRUARY)];
    expect(nextPaymentAttempt(known(...two))).toBeNull();
    const { told, state } = play(...two, advance(MARCH));
    expect([told.at(-1), state]).toMatchObject(['SubscriptionExpired', { cycles_completed: 2 }]);
  });
  test('no timer ran for a quarter of a year: the period that contains now opens, and can be paid', () => {
    const now = '2026-06-10T00:00:00.000Z';
    const late = [create(), pay(1, day(0)), advance(FEBRUARY, now)];
    const { charge, calendar, period_number } = known(...late);
    expect(calendar).toMatchObject({ start: '2026-05-31T12:00:00.000Z', end: '2026-06-30T12:00:00.000Z' });
    expect(charge).toMatchObject({ due_at: now, expires_at: later(now, DAY_MS) });
    expect(period_number).toBe(2);
  });
});

describe('dunning', () => {
  test('attempts at 0, +1, +3 and +5 days; two days after the last it is cancelled', () => {
    const { events, told, state } = play(
      ...[create(), advance(day(1)), advance(day(3)), advance(day(5)), advance(day(7))],
    );
    const again = 'SubscriptionPaymentFailed, SubscriptionChargeDue';
    const end = 'SubscriptionPaymentFailed, SubscriptionCancelled';
    expect(told).toEqual(['SubscriptionCreated', again, again, again, end]);
    const charges = events.flatMap(({ type, data }) =>
      type === 'SubscriptionCreated' || type === 'SubscriptionChargeDue' ? [data.charge] : [],
    );
    expect(charges.map((charge) => [charge?.attempt, charge?.due_at, charge?.expires_at])).toEqual([
      ...[[1, day(0), day(1)], [2, day(1), day(3)], [3, day(3), day(5)], [4, day(5), day(7)]],
    ]);
    expect(charges.map((charge) => charge?.charge_number)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ data }) => data.after.next_payment_attempt)).toEqual([
      ...[day(1), day(1), day(3), day(3), day(5), day(5), null, null, null],
    ]);
    expect(state).toMatchObject({ status: 'Cancelled', cancellation_reason: 'payment_failed' });
  });
  test('recovered within the period, it is Active, and the period moves on at its end', () => {
    const { state, told } = play(create(), advance(day(1)), pay(1, day(2)));
    expect(told.at(-1)).toBe('SubscriptionRenewed');
    expect(figuresOf(state as KnownSubscription)).toEqual({
      ...{ status: 'Active', current_period_start: BEGAN, current_period_end: FEBRUARY },
      ...{ next_payment_attempt: FEBRUARY, cycles_completed: 1 },
    });
  });
  const daily = create({ billing_interval: 'daily' });
  const failing = [daily, advance(day(1)), advance(day(3))];
  test('while it is PastDue no later period opens, whatever has ended', () =>
    expect(known(...failing)).toMatchObject({ status: 'PastDue', period_number: 1 }));
  test('recovery opens the period that contains now; those skipped are never charged', () => {
    const { state, told, events } = play(...failing, pay(1, day(3.5)));
    expect(told.at(-1)).toBe('SubscriptionRenewed, SubscriptionPeriodOpened');
    const renewed = events.find(({ type }) => type === 'SubscriptionRenewed');
    expect(renewed?.data.after).toEqual(figuresOf(state as KnownSubscription));
    expect(renewed?.data.after).toMatchObject({
      ...{ current_period_end: day(4), next_payment_attempt: day(4.5) },
    });
    expect(state).toMatchObject({ status: 'Active', period_number: 2, cycles_completed: 1, paid_by: null });
    expect(state).toMatchObject({
      calendar: { start: day(3), end: day(4) },
      charge: { charge_number: 4, attempt: 1, due_at: day(3.5), expires_at: day(4.5) },
    });
  });
  test('recovered at the very end of a period, the next one opens', () =>
    expect(known(daily, advance(day(1)), pay(1, day(1)))).toMatchObject({
      ...{ period_number: 2, calendar: { start: day(1), end: day(2) } },
    }));
  test('recovered after the end of its last period, it has expired', () => {
    const last = create({ billing_interval: 'daily', max_cycles: 1 });
    expect(play(last, advance(day(1)), pay(1, day(2))).told.at(-1)).toBe(
      'SubscriptionRenewed, SubscriptionExpired',
    );
  });
  test('a week later its last attempt and its period end together: no other opens', () => {
    const weekly = [create({ billing_interval: 'weekly' }), advance(day(1)), advance(day(3))];
    const { told } = play(...weekly, advance(day(5)), advance(day(7)), advance(day(14)));
    expect(told.slice(-2)).toEqual(['SubscriptionPaymentFailed, SubscriptionCancelled', 'nothing']);
  });
  test('a link that was opened for a charge that is over is not taken', () => {
    expect(play(...failing, record(2)).told.at(-1)).toBe('! charge_over');
    expect(play(...failing, record(3), record(3)).told.slice(-2)).toEqual([
      ...['SubscriptionChargeOpened', 'nothing'],
    ]);
    expect(play(create(), cancel(day(0)), record(1)).told.at(-1)).toBe('! charge_over');
  });
  test('by a link money may have come in time and not be heard of: payments says when it has not', () => {
    const over = [create(), record(1), advance(day(1))];
    expect(play(...over, advance(day(1))).told.slice(2)).toEqual(['SubscriptionChargeEnded', 'nothing']);
    expect(subscriptionDueAt(known(...over))).toBeNull();
    const paid = play(...over, pay(1, day(1.5), 'pay_test_1', day(1)), fail(1, day(1.5)));
    expect(paid.told.slice(3)).toEqual(['SubscriptionRenewed', 'nothing']);
    expect(paid.state).toMatchObject({ status: 'Active', cycles_completed: 1 });
    const unpaid = known(...over, fail(1, later(day(1), 5_000)), fail(1, day(1.1)));
    expect(unpaid).toMatchObject({ status: 'PastDue', charge: { attempt: 2, due_at: day(1) } });
    const much_later = known(...over, fail(1, day(4)));
    expect(much_later.charge).toMatchObject({ attempt: 2, due_at: day(4), expires_at: day(6) });
  });
  test('no timer ran for a week: each attempt still has its time', () => {
    const state = known(create(), advance(day(1), day(9)));
    expect(state.charge).toMatchObject({ attempt: 2, due_at: day(9), expires_at: day(11) });
  });
  test('who asks to pay is sent to the charge of now, though no timer has run', () => {
    const { charge } = known(create(), request(day(1.01)));
    expect(charge).toMatchObject({ attempt: 2, due_at: day(1) });
    expect(play(create(), request(day(0.5))).told.at(-1)).toBe('nothing');
  });
});

describe('pause and resume', () => {
  test('the end of the period moves by the time paused, and nothing is due meanwhile', () => {
    const paused = known(create(), pay(1, day(0)), pause(day(5)));
    expect([subscriptionDueAt(paused), nextPaymentAttempt(paused)]).toEqual([null, null]);
    const resumed = known(create(), pay(1, day(0)), pause(day(5)), resume(day(15)));
    expect(resumed.calendar).toMatchObject({ start: BEGAN, end: day(10, FEBRUARY) });
    expect(figuresOf(resumed)).toMatchObject({
      ...{ status: 'Active', next_payment_attempt: day(10, FEBRUARY) },
    });
    expect(resumed.paused).toBeNull();
  });
  test('it resumes by itself at the time that was set, to the second', () => {
    const paused = [create(), pay(1, day(0)), pause(day(5), day(8))];
    expect(subscriptionDueAt(known(...paused))).toBe(day(8));
    expect(known(...paused, advance(day(8))).calendar.end).toBe(day(3, FEBRUARY));
  });
  test('set in the past', () =>
    expect(play(create(), pause(day(5), day(5))).told.at(-1)).toBe('! resumes_at_past'));
  test('a period that is not paid is charged anew from the first attempt on', () => {
    const state = known(create(), advance(day(1)), advance(day(3)), pause(day(4)), resume(day(40)));
    expect(state).toMatchObject({ status: 'Active', period_number: 1 });
    expect(state.charge).toEqual({
      ...{ charge_number: 4, attempt: 1, due_at: day(40), expires_at: day(41) },
    });
  });
  test('while its charge has time left it goes on with that: no second payment is open', () => {
    const { told, state } = play(create(), record(1), pause(day(0.2)), resume(day(0.9)));
    expect(told.at(-1)).toBe('SubscriptionResumed');
    const charge = { charge_number: 1, expires_at: day(1) };
    expect(state).toMatchObject({ charge, opened: OPENED });
  });
  test('a charge that ended in the pause is followed by a first attempt once payments says it is unpaid', () => {
    const over = [create(), record(1), pause(day(0.5)), resume(day(3))];
    expect(play(...over).told.at(-1)).toBe('SubscriptionChargeEnded, SubscriptionResumed');
    const { told, state } = play(...over, fail(1, later(day(3), 1)));
    expect(told.at(-1)).toBe('SubscriptionChargeDue');
    expect(state).toMatchObject({ status: 'Active', charge: { charge_number: 2, attempt: 1, due_at: day(3) } });
  });
  test.each([
    ['its link waits for what payments says', [record(1)]],
    ['without a link it is charged at once', []],
  ])('the event of a resume never says that the next attempt has passed: %s', (_, opened) => {
    const failed = [advance(day(1)), fail(1, day(1)), advance(day(3)), advance(day(5))];
    for (const before of [opened, [...opened, ...failed]]) {
      const { events } = play(create(), ...before, pause(day(6)), resume(day(9)));
      const resumed = events.find(({ type }) => type === 'SubscriptionResumed');
      expect(resumed?.data.after).toMatchObject({ status: 'Active', next_payment_attempt: day(9) });
    }
  });
  test('until payments has said what came of a charge, the next attempt is at its end, if there is one', () => {
    const over = known(create(), record(1), advance(day(1)));
    expect(nextPaymentAttempt(over)).toBe(day(1));
    const daily = [create({ billing_interval: 'daily' }), record(1), cancel(day(0.5), true)];
    expect(nextPaymentAttempt(known(...daily, advance(day(1))))).toBeNull();
  });
  test('paid meanwhile, it is not charged again', () => {
    const { told } = play(create(), pause(day(0.5)), pay(1, day(2)), resume(day(3)));
    expect(told.slice(-2)).toEqual(['SubscriptionRenewed', 'SubscriptionResumed']);
  });
  test('paused at the very end of a period, resumed by itself, the next one opens at once', () => {
    const paused = [create(), pay(1, day(0)), pause(FEBRUARY, MARCH)];
    const { told, state } = play(...paused, advance(MARCH));
    expect(told.at(-1)).toBe('SubscriptionResumed, SubscriptionPeriodOpened');
    expect(state).toMatchObject({ calendar: { start: MARCH, end: APRIL }, period_number: 2 });
  });
});

describe('cancel', () => {
  test('at the end of the period: until then it is Active, and charged no more', () => {
    const asked = [create(), pay(1, day(0)), cancel(day(2), true)];
    expect(figuresOf(known(...asked))).toMatchObject({ status: 'Active', next_payment_attempt: null });
    const { told, state } = play(...asked, advance(FEBRUARY));
    expect([told.at(-1), state]).toMatchObject(['SubscriptionCancelled', { cancelled_at: FEBRUARY }]);
  });
  test('of a paused one whose period had ended, as soon as it goes on', () => {
    const daily = [create({ billing_interval: 'daily' }), advance(day(1)), pause(day(2))];
    expect(play(...daily, cancel(day(3), true), resume(day(4))).told.slice(-2)).toEqual([
      'SubscriptionCancelRequested',
      'SubscriptionChargeEnded, SubscriptionResumed, SubscriptionCancelled',
    ]);
  });
  test('no further attempt is announced of a period with which it ends', () => {
    const daily = [create({ billing_interval: 'daily' }), cancel(day(0), true)];
    expect(nextPaymentAttempt(known(...daily))).toBeNull();
  });
  test('at once after all', () =>
    expect(play(create(), cancel(day(0), true), cancel(day(1))).told.slice(1)).toEqual([
      ...['SubscriptionCancelRequested', 'SubscriptionCancelled'],
    ]));
  test('at the end of a period that has ended: at once', () => {
    const daily = create({ billing_interval: 'daily' });
    expect(play(daily, advance(day(1)), cancel(day(2), true)).told.at(-1)).toBe('SubscriptionCancelled');
  });
  test('a period that is owed is asked for until it ends', () => {
    const asked = [create({ billing_interval: 'daily', interval_count: 2 }), cancel(day(0), true)];
    const { told } = play(...asked, advance(day(1)), advance(day(2)));
    expect(told.slice(2)).toEqual([
      ...['SubscriptionPaymentFailed, SubscriptionChargeDue', 'SubscriptionCancelled'],
    ]);
  });
  test('of a paused one, at the end that is still to move', () => {
    const asked = [create(), pay(1, day(0)), pause(day(5)), cancel(day(40), true), resume(day(50))];
    const end = day(45, FEBRUARY);
    expect(subscriptionDueAt(known(...asked))).toBe(end);
    expect(play(...asked, advance(end)).told.at(-1)).toBe('SubscriptionCancelled');
  });
});

test('a stranger’s e-mail gets no mail before the first payment', () => {
  const { terms } = create();
  const by_customer = { ...create(), terms: { ...terms, made_by: 'customer' as const } };
  expect(mayBeMailed(known(create()))).toBe(true);
  expect(mayBeMailed(known({ ...create(), customer: null }))).toBe(false);
  expect(mayBeMailed(known(by_customer))).toBe(false);
  expect(mayBeMailed(known(by_customer, pay(1, day(0))))).toBe(true);
});

test('the plan stays as the customer agreed to it', () =>
  expect(known(create()).terms.plan).toEqual(MONTHLY));
