import { decide, type CommandOf } from '@tender/kernel';
import { installmentPlanDecider } from './decide-installment-plan';
import type { InstallmentPlan, KnownInstallmentPlan } from './installment-plan';
import { installmentPlanDueAt, nextInstallment } from './installment-times';
import {
  advancePlan as advance,
  cancelPlan as cancel,
  createPlan as create,
  failCharge as fail,
  FIRST,
  payInstallment as pay,
  recordCharge as record,
  recordPayment as begun,
  requestInstallment as request,
} from './testing/an-installment-plan';
import { outcomeOf, played } from '@tender/eventing/testing';
import { DAY_MS, later } from './time';

type Command = CommandOf<typeof installmentPlanDecider>;
const play = (...commands: readonly Command[]) => played(installmentPlanDecider, commands);
const known = (...commands: readonly Command[]) => play(...commands).state as KnownInstallmentPlan;
/** Days after the first is due. */
const day = (n: number) => later(FIRST, n * DAY_MS);
/** The timer runs at each time that is due, up to then. */
function untilDay(n: number, ...commands: readonly Command[]): Command[] {
  const all = [...commands];
  for (let due = installmentPlanDueAt(known(...all)); due !== null && due <= day(n); ) {
    all.push(advance(due));
    due = installmentPlanDueAt(known(...all));
  }
  return all;
}

describe('the table: every arrow that is not in it is refused by name', () => {
  const all_paid = [create(), pay(1, day(0)), pay(2, day(0)), pay(3, day(0))];
  const histories = {
    unknown: [],
    active: [create()],
    'active, due': untilDay(0, create()),
    'active, late': untilDay(1, create()),
    'active, opened': [...untilDay(0, create()), record(1, 1)],
    'active, ended': [...untilDay(0, create()), record(1, 1), advance(day(1))],
    'active, first paid': [create(), pay(1, day(0), 'pay_test_other')],
    completed: all_paid,
    defaulted: untilDay(7, create()),
    cancelled: [create(), cancel(day(0))],
  } satisfies Record<string, readonly Command[]>;
  const commands = (state: InstallmentPlan) => ({
    create: create(),
    due: advance(state.status === 'unknown' ? FIRST : (installmentPlanDueAt(state) ?? FIRST)),
    'asked to pay': request('2026-01-02T00:00:00.000Z'),
    'charge opened': record(1, state.status === 'unknown' ? 1 : (state.installments[0]?.charge?.charge_number ?? 1)),
    'payment begun': begun(1),
    unpaid: fail(1, 1, day(1)),
    'first paid': pay(1, day(2)),
    'one that there is not': pay(4, day(2)),
    cancel: cancel(day(2)),
  });
  const NONE = '! installment_plan_unknown';
  const EXISTS = '! installment_plan_exists';
  const CREATED = 'InstallmentPlanCreated';
  const REMINDED = 'InstallmentReminded';
  const CHARGED = 'InstallmentCharged';
  const LINKED = 'InstallmentChargeOpened';
  const LATE = 'InstallmentLate, InstallmentCharged';
  const BEGUN = 'InstallmentPaymentBegun';
  const PAID = 'InstallmentPaid';
  const TWICE = '! installment_already_paid';
  const NO_SUCH = '! installment_unknown';
  const OVER = '! charge_over';
  const ENDED = '! plan_not_active';
  const OVER_NOW = 'InstallmentChargeEnded';
  const N = 'nothing';
  const CANCELS = 'InstallmentPlanCancelled';
  const TABLE: Record<keyof typeof histories, readonly string[]> = {
    // create, due, asked, opened, begun, unpaid, paid, no such, cancel
    unknown: [CREATED, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE],
    active: [EXISTS, REMINDED, CHARGED, OVER, OVER, N, PAID, NO_SUCH, CANCELS],
    'active, due': [EXISTS, LATE, 'nothing', LINKED, OVER, N, PAID, NO_SUCH, CANCELS],
    'active, late': [EXISTS, REMINDED, 'nothing', LINKED, OVER, N, PAID, NO_SUCH, CANCELS],
    'active, opened': [EXISTS, OVER_NOW, REMINDED, 'nothing', BEGUN, N, PAID, NO_SUCH, CANCELS],
    'active, ended': [EXISTS, REMINDED, 'nothing', 'nothing', BEGUN, LATE, PAID, NO_SUCH, CANCELS],
    'active, first paid': [EXISTS, REMINDED, CHARGED, OVER, OVER, N, TWICE, NO_SUCH, CANCELS],
    completed: [EXISTS, 'nothing', ENDED, OVER, OVER, N, 'nothing', NO_SUCH, ENDED],
    defaulted: [EXISTS, 'nothing', ENDED, OVER, OVER, N, PAID, NO_SUCH, ENDED],
    cancelled: [EXISTS, 'nothing', ENDED, OVER, OVER, N, PAID, NO_SUCH, ENDED],
  };
  test.each(Object.keys(TABLE) as (keyof typeof histories)[])('%s', (name) => {
    const { state } = played(installmentPlanDecider, histories[name]);
    expect(state.status).toBe(name.replace(/,.*/, ''));
    const outcomes = Object.values(commands(state)).map((command) =>
      outcomeOf(decide(installmentPlanDecider, command, state)),
    );
    expect(outcomes).toEqual(TABLE[name]);
  });
  test.each(['defaulted', 'cancelled'] as const)('%s: what is paid counts, and it stays so', (name) => {
    const state = known(...histories[name], pay(1, day(8)), pay(2, day(8)), pay(3, day(8)));
    expect([state.status, state.completed_at]).toEqual([name, null]);
    expect(state.installments.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
  });
});

describe('create', () => {
  test('shares are floored, the rest is on the last, and each is due so many days after the one before', () => {
    const schedule = known(create()).installments.map(({ amount_usd_cents, due_date, status }) => [
      ...[amount_usd_cents, due_date, status],
    ]);
    expect(schedule).toEqual([
      ...[['3333', FIRST, 'pending'], ['3333', day(30), 'pending'], ['3334', day(60), 'pending']],
    ]);
  });
  test('a first date in the past, a share below a cent, or more than the merchant may ask for', () => {
    const past = create({ first_payment_date: '2026-01-01T08:59:59.999Z' });
    expect(play(past).told).toEqual(['! first_payment_date_past']);
    expect(play(create({ total_usd_cents: '2' })).told).toEqual(['! installment_too_small']);
    expect(play(create({ total_usd_cents: '3' })).told).toEqual(['InstallmentPlanCreated']);
    expect(play(create({}, 9_999n)).told).toEqual(['! amount_too_large']);
    expect(play(create({}, 10_000n)).told).toEqual(['InstallmentPlanCreated']);
    expect(play(create({ late_fee_usd_cents: '6667' }, 10_000n)).told).toEqual(['! amount_too_large']);
  });
});

/** What the timers of a plan do, with the day after the first is due. */
const timesOf = (commands: readonly Command[]) =>
  play(...commands).events.slice(1).map(({ type, data }) => {
    const n = 'installment_number' in data ? data.installment_number : 0;
    const time = Object.entries(data).find(([key]) => /_at$/.test(key) && key !== 'next_reminder_at');
    return `${type} ${n} ${(Date.parse(String(time?.[1])) - Date.parse(FIRST)) / DAY_MS}`;
  });

describe('time', () => {
  test('three days before, on the day, a day late with the fee, a reminder each day, and default', () => {
    expect(timesOf(untilDay(400, create()))).toEqual([
      'InstallmentReminded 1 -3',
      'InstallmentDue 1 0',
      'InstallmentCharged 1 0',
      'InstallmentLate 1 1',
      'InstallmentCharged 1 1',
      ...[2, 3, 4, 5, 6].map((n) => `InstallmentReminded 1 ${n}`),
      'InstallmentDefaulted 1 7',
    ]);
  });
  test('the fee is added once, and asked for by a charge of its own', () => {
    const { installments, terms } = known(...untilDay(6, create()));
    expect(installments[0]).toMatchObject({
      ...{ status: 'late', amount_usd_cents: '3333', owed_usd_cents: '3833' },
      charge: { charge_number: 2, amount_usd_cents: '3833', expires_at: day(7) },
    });
    expect(terms.schedule[0]?.amount_usd_cents).toBe('3333');
    const before = known(...untilDay(0, create())).installments[0]?.charge;
    expect(before).toEqual({ charge_number: 1, amount_usd_cents: '3333', expires_at: day(1) });
  });
  test('a day of grace: late and default fall together, and there is only the default, without a fee', () =>
    expect(timesOf(untilDay(400, create({ grace_period_days: 1 })))).toEqual([
      ...['InstallmentReminded 1 -3', 'InstallmentDue 1 0', 'InstallmentCharged 1 0'],
      'InstallmentDefaulted 1 1',
    ]));
  test('no reminder before a plan that is younger than three days', () => {
    const soon = create({ first_payment_date: '2026-01-02T09:00:00.000Z' });
    expect(installmentPlanDueAt(known(soon))).toBe('2026-01-02T09:00:00.000Z');
  });
  test('days apart and a long grace: several are owed at once, and the first that is missed ends the plan', () => {
    const close = create({ payment_frequency_days: 1, late_fee_usd_cents: '0', installment_count: 4 });
    const { told } = play(...untilDay(2, close));
    expect(told.at(-1)).toBe(
      'InstallmentReminded, InstallmentLate, InstallmentCharged, InstallmentDue, InstallmentCharged',
    );
    expect(timesOf(untilDay(400, close)).at(-1)).toBe('InstallmentDefaulted 1 7');
    const first_paid = untilDay(400, ...untilDay(3, close), pay(1, day(3.5)));
    expect(timesOf(first_paid).at(-1)).toBe('InstallmentDefaulted 2 8');
  });
  test('paid in time but heard of late: no fee', () => {
    const late = untilDay(1, create());
    for (const paid_at of [later(day(1), -1), day(1)]) {
      const heard = known(...late, pay(1, day(1.1), 'pay_test_1', paid_at));
      expect(heard.installments[0]).toMatchObject({ status: 'paid', owed_usd_cents: '3333' });
    }
    const in_fact_late = known(...late, pay(1, day(1.1), 'pay_test_1', later(day(1), 1)));
    expect(in_fact_late.installments[0]).toMatchObject({ owed_usd_cents: '3833' });
  });
  test('no timer ran for ten days: the time to pay counts from when it is asked for', () => {
    const late = [create(), advance(day(-3), day(10))];
    expect(play(...late).told.at(-1)).toBe('InstallmentDue, InstallmentCharged');
    const first = known(...late).installments[0];
    expect(first).toMatchObject({ asked_at: day(10), charge: { expires_at: day(11) } });
    expect(timesOf(untilDay(400, ...late)).at(-1)).toBe('InstallmentDefaulted 1 17');
  });
  test('no timer ran, and a customer asks to pay: what is due is done first', () => {
    expect(play(create(), request(day(2))).told.at(-1)).toBe('InstallmentDue, InstallmentCharged');
    expect(known(create(), request(day(2))).installments[0]?.asked_at).toBe(day(2));
  });
  test('asked for before it was due: by its date it goes on with that charge, however late a timer looks', () => {
    const asked = [create(), request(day(-9)), record(1, 1), advance(day(-3), day(0.9))];
    expect(play(...asked).told.at(-1)).toBe('InstallmentDue');
    const [first] = known(...asked).installments;
    const charge = { charge_number: 1, expires_at: day(1) };
    expect(first).toMatchObject({ asked_at: FIRST, charge });
    expect(timesOf(untilDay(1, ...asked)).at(-1)).toBe('InstallmentChargeEnded 1 1');
  });
  test('asked for before it was due, but no timer ran until its charge was over: it is charged anew', () => {
    const unopened = [create(), request(day(-9)), advance(day(-3), day(2))];
    expect(play(...unopened).told.at(-1)).toBe('InstallmentDue, InstallmentCharged');
    const charge = { charge_number: 2, expires_at: day(3) };
    expect(known(...unopened).installments[0]).toMatchObject({ charge });
    const opened = [create(), request(day(-9)), record(1, 1)];
    const over = [...opened, advance(day(-3), day(2)), fail(1, 1, day(2))];
    expect(play(...over).told.slice(-2)).toEqual([
      ...['InstallmentChargeEnded', 'InstallmentDue, InstallmentCharged'],
    ]);
    expect(known(...over).installments[0]).toMatchObject({ charge });
  });
  test('by a link money may have come in time and not be heard of: payments says when it has not', () => {
    const over = [...untilDay(0, create()), record(1, 1), advance(day(1))];
    const paid = play(...over, pay(1, day(1.5), 'pay_test_1', day(1)), fail(1, 1, day(1.5)));
    expect(paid.told.slice(-3)).toEqual(['InstallmentChargeEnded', 'InstallmentPaid', 'nothing']);
    expect(paid.state).toMatchObject({ installments: [{ status: 'paid', owed_usd_cents: '3333' }, {}, {}] });
    const late = [...over, fail(1, 1, later(day(1), 5_000)), record(1, 2)];
    expect(timesOf(late).at(-3)).toBe('InstallmentLate 1 1');
    const missed = untilDay(8, ...late);
    expect(timesOf(missed).at(-1)).toBe('InstallmentChargeEnded 1 7');
    const saved = known(...missed, pay(1, day(8), 'pay_test_1', day(7)), fail(1, 2, day(8)));
    expect([saved.status, saved.installments[0]?.status]).toEqual(['active', 'paid']);
    expect(timesOf([...missed, fail(1, 2, later(day(7), 1))]).at(-1)).toBe('InstallmentDefaulted 1 7');
    expect(play(...over, fail(9, 1, day(1))).told.at(-1)).toBe('! installment_unknown');
  });
  test('a timer that looks too early', () =>
    expect(play(create(), advance(day(-4))).told.at(-1)).toBe('! not_due_yet'));
});

describe('paying', () => {
  test('before it is due: charged once, and told on the due date without a second charge', () => {
    const asked = [create(), request(day(-9)), request(day(-8))];
    expect(play(...asked).told.slice(1)).toEqual(['InstallmentCharged', 'nothing']);
    expect(known(...asked).installments[0]?.charge?.expires_at).toBe(day(1));
    expect(play(...untilDay(0, ...asked)).told.at(-1)).toBe('InstallmentDue');
  });
  test('asked again, its customer gets the link again: once an hour, and three times in 24 hours', () => {
    const asked = [create(), request(day(-9)), record(1, 1)];
    const HOUR = 1 / 24;
    const again = [0, 0, 0.9, 1, 2, 3, 23.9, 24].map((hour) => request(day(-9 + hour * HOUR)));
    const TOLD = 'InstallmentReminded';
    const { told, events, state } = play(...asked, ...again);
    expect(told.slice(3)).toEqual([TOLD, 'nothing', 'nothing', TOLD, TOLD, 'nothing', 'nothing', TOLD]);
    expect(events.at(-1)?.data).toMatchObject({ about: 'payable', next_reminder_at: day(-3) });
    expect(installmentPlanDueAt(state as KnownInstallmentPlan)).toBe(day(-3));
  });
  test('its customer gets no link that is to come, or has ended, nor two mails at once', () => {
    expect(play(create(), request(day(-9)), request(day(-9))).told.at(-1)).toBe('nothing');
    const opened = [create(), request(day(-9)), record(1, 1), advance(day(-3))];
    expect(play(...opened, request(day(0))).told.at(-1)).toBe('InstallmentDue');
    const ended = [...opened, advance(day(0)), advance(day(1))];
    expect(play(...ended, request(day(1))).told.slice(-2)).toEqual(['InstallmentChargeEnded', 'nothing']);
  });
  test('the next is the first that is not paid, whichever was paid before', () => {
    expect(nextInstallment(known(create(), pay(2, day(0))))?.installment_number).toBe(1);
    expect(nextInstallment(known(create(), pay(1, day(0))))?.installment_number).toBe(2);
    expect(nextInstallment(known(create(), cancel(day(0))))).toBeNull();
  });
  test('the last tells that it is paid, then that the plan is completed', () => {
    const { told, state, events } = play(create(), pay(1, day(0)), pay(3, day(1)), pay(2, day(2)));
    expect(told.at(-1)).toBe('InstallmentPaid, InstallmentPlanCompleted');
    expect(state).toMatchObject({ status: 'completed', completed_at: day(2) });
    expect(events.map(({ data }) => Object.values(data.after))).toEqual([
      ...[['active', 0], ['active', 1], ['active', 2], ['active', 3], ['completed', 3]],
    ]);
  });
  test('once: told again is nothing, another payment is refused', () =>
    expect(play(create(), pay(1, day(0)), pay(1, day(0)), pay(1, day(0), 'pay_test_9')).told.slice(2)).toEqual([
      ...['nothing', '! installment_already_paid'],
    ]));
  test('a link that was opened for a charge that is over is not taken', () => {
    const late = untilDay(1, create());
    expect(play(...late, record(1, 1), record(1, 2), record(1, 2)).told.slice(-3)).toEqual([
      ...['! charge_over', 'InstallmentChargeOpened', 'nothing'],
    ]);
    expect(play(...late, pay(1, day(2)), record(1, 2)).told.at(-1)).toBe('! charge_over');
    expect(play(create(), record(9, 1)).told.at(-1)).toBe('! installment_unknown');
  });
  test('cancelled: what is not paid is voided, what is paid stays so', () => {
    const { installments } = known(create(), pay(1, day(0)), cancel(day(1)));
    expect(installments.map(({ status }) => status)).toEqual(['paid', 'voided', 'voided']);
  });
});
