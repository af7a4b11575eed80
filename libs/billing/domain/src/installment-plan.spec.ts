import type { CommandOf } from '@tender/kernel';
import fc from 'fast-check';
import { installmentPlanDecider } from './decide-installment-plan';
import { evolveInstallmentPlan, installmentPlanAfter } from './evolve-installment-plan';
import {
  figuresOfInstallments,
  UNKNOWN_INSTALLMENT_PLAN,
  type InstallmentPlanEvent,
  type KnownInstallmentPlan,
} from './installment-plan';
import { installmentPlanDueAt } from './installment-times';
import history from './recorded/installment-plan-v1.json';
import {
  advancePlan as advance,
  cancelPlan,
  CREATED,
  createPlan,
  failCharge,
  payInstallment as pay,
  recordCharge,
  requestInstallment,
} from './testing/an-installment-plan';
import { OPENED } from './testing/a-subscription';
import { lived, stepsOf, type Step } from './testing/lived';

type Recorded = { [One in InstallmentPlanEvent as One['type']]: One };
const recorded = history as unknown as Recorded;
const { InstallmentPlanCreated: Created, InstallmentCharged: Charged } = recorded;
const fold = (...events: readonly InstallmentPlanEvent[]) =>
  events.reduce(evolveInstallmentPlan, UNKNOWN_INSTALLMENT_PLAN) as KnownInstallmentPlan;

describe('a recorded history of version 1 folds as it did', () => {
  const { terms, customer } = Created.data;
  const none = {
    ...{ asked_at: null, charge: null, opened: null, charge_ended: false, paid_by: null },
  } as const;
  const first = {
    ...{ installment_number: 1, due_date: '2026-01-11T09:00:00.000Z', amount_usd_cents: '5000' },
    ...{ status: 'pending', owed_usd_cents: '5000', ...none },
    next_reminder_at: '2026-01-08T09:00:00.000Z',
  };
  const second = {
    ...{ installment_number: 2, due_date: '2026-02-10T09:00:00.000Z', amount_usd_cents: '5001' },
    ...{ status: 'pending', owed_usd_cents: '5001', ...none },
    next_reminder_at: '2026-02-07T09:00:00.000Z',
  };
  const active = {
    ...{ status: 'active', terms, customer, installments: [first, second] },
    ...{ completed_at: null, defaulted_at: null, cancelled_at: null, updated_at: CREATED },
  };
  const due = { ...first, asked_at: '2026-01-11T09:00:00.000Z', next_reminder_at: null };
  test('from the beginning', () => {
    expect(fold(Created)).toEqual(active);
    expect(fold(Created, recorded.InstallmentReminded)).toEqual({
      ...{ ...active, updated_at: '2026-01-08T09:00:00.000Z' },
      installments: [{ ...first, next_reminder_at: null }, second],
    });
    const charged = [Created, recorded.InstallmentDue, Charged];
    const { charge } = Charged.data;
    expect(fold(...charged).installments).toEqual([{ ...due, charge }, second]);
    expect(fold(...charged, recorded.InstallmentChargeOpened).installments).toEqual([
      ...[{ ...due, charge, opened: OPENED }, second],
    ]);
    const { InstallmentChargeOpened: Opened, InstallmentPaymentBegun: Begun } = recorded;
    const opened = { ...OPENED, payment_id: 'pay_test_0000000000000000000043' };
    expect(fold(...charged, Opened, Begun).installments).toEqual([
      ...[{ ...due, charge, opened }, second],
    ]);
    expect(fold(...charged, Opened, Begun, recorded.InstallmentChargeEnded).installments).toEqual([
      ...[{ ...due, charge, opened, charge_ended: true }, second],
    ]);
    expect(fold(...charged, Begun)).toEqual(fold(...charged));
    const late = { status: 'late', owed_usd_cents: '5500', next_reminder_at: '2026-01-13T09:00:00.000Z' };
    expect(fold(Created, recorded.InstallmentDue, recorded.InstallmentLate).installments).toEqual([
      ...[{ ...due, ...late }, second],
    ]);
    const paid_by = { payment_id: 'pay_test_1', paid_at: '2026-01-13T09:00:00.000Z' };
    expect(fold(Created, recorded.InstallmentPaid).installments).toEqual([
      ...[{ ...first, status: 'paid', owed_usd_cents: '5500', paid_by }, second],
    ]);
  });
  test('to each end', () => {
    expect(fold(Created, recorded.InstallmentDefaulted)).toEqual({
      ...{ ...active, status: 'defaulted' },
      ...{ defaulted_at: '2026-01-18T09:00:00.000Z', updated_at: '2026-01-18T09:00:00.000Z' },
    });
    expect(fold(Created, recorded.InstallmentPlanCompleted)).toEqual({
      ...{ ...active, status: 'completed' },
      ...{ completed_at: '2026-02-10T09:00:00.000Z', updated_at: '2026-02-10T09:00:00.000Z' },
    });
    expect(fold(Created, recorded.InstallmentPlanCancelled)).toEqual({
      ...{ ...active, status: 'cancelled', installments: [first, second].map((one) => ({ ...one, status: 'voided' })) },
      ...{ cancelled_at: '2026-01-14T09:00:00.000Z', updated_at: '2026-01-14T09:00:00.000Z' },
    });
  });
});

test('an event of a later version, or of a stream that has not begun, changes nothing', () => {
  const noted = { ...recorded.InstallmentDue, type: 'InstallmentNoted' } as never;
  expect(installmentPlanAfter(fold(Created), noted)).toEqual(fold(Created));
  expect(fold(recorded.InstallmentDue)).toEqual(UNKNOWN_INSTALLMENT_PLAN);
});

/** Anything that can be asked, at any time, of any plan; the timer looks when it will. */
const terms = fc.record({
  total_usd_cents: fc.bigInt({ min: 24n, max: 9_999_999n }).map(String),
  installment_count: fc.integer({ min: 2, max: 24 }),
  payment_frequency_days: fc.integer({ min: 1, max: 40 }),
  late_fee_usd_cents: fc.constantFrom('0', '500'),
  grace_period_days: fc.integer({ min: 1, max: 10 }),
});
type Command = CommandOf<typeof installmentPlanDecider>;

function commandOf(
  [kind, , choice]: Step,
  state: KnownInstallmentPlan,
  now: string,
): Command | null {
  const due = installmentPlanDueAt(state);
  if (kind === 'advance') return due !== null && due <= now ? advance(due, now) : null;
  if (kind === 'pay') return pay(1 + Math.floor(choice / 3), now, `pay_test_${choice}`);
  if (kind === 'request') return requestInstallment(now);
  if (kind === 'unpaid') return failCharge(1 + Math.floor(choice / 3), 1 + (choice % 2), now);
  if (kind === 'open') return recordCharge(1 + Math.floor(choice / 3), 1 + (choice % 2));
  return choice > 22 ? cancelPlan(now) : null;
}

const kinds = ['advance', 'pay', 'pay', 'request', 'open', 'unpaid', 'cancel', 'advance', 'pay'];
const lives = fc.tuple(terms, stepsOf(kinds, 12), fc.boolean()).map(([changes, steps, punctual]) =>
  lived(
    {
      ...{ rules: installmentPlanDecider, from: CREATED, create: createPlan(changes), advance },
      ...{ dueAt: installmentPlanDueAt, figuresOf: figuresOfInstallments, commandOf },
    },
    steps,
    punctual,
  ),
);

describe('whatever is asked in whatever order and whenever the timer looks', () => {
  const numbersOf = (
    events: readonly InstallmentPlanEvent[],
    type: InstallmentPlanEvent['type'],
  ) =>
    events.flatMap((event) =>
      event.type === type && 'installment_number' in event.data ? [event.data.installment_number] : [],
    );
  const isOnce = (numbers: readonly number[]) => new Set(numbers).size === numbers.length;

  test('each installment is due, late and paid once at most; nothing is charged after the end', () => {
    fc.assert(
      fc.property(lives, ({ events, state }) => {
        for (const type of ['InstallmentDue', 'InstallmentLate', 'InstallmentPaid'] as const) {
          expect(isOnce(numbersOf(events, type))).toBe(true);
        }
        const ended = events.findIndex(({ data }) => data.after.status !== 'active');
        const after_end = ended < 0 ? [] : events.slice(ended + 1).map(({ type }) => type);
        expect(after_end.every((type) => type === 'InstallmentPaid')).toBe(true);
        const { length: paid } = numbersOf(events, 'InstallmentPaid');
        if (state.status === 'completed') expect(paid).toBe(state.terms.installment_count);
        if (state.status === 'active') expect(paid).toBeLessThan(state.terms.installment_count);
      }),
    );
  });

  test('what is owed is the total, and a fee for each that is late: no cent more or less', () => {
    fc.assert(
      fc.property(lives, ({ events, state }) => {
        const late = new Set(numbersOf(events, 'InstallmentLate'));
        const { terms: agreed, installments } = state;
        const sum = agreed.schedule.reduce((all, one) => all + BigInt(one.amount_usd_cents), 0n);
        expect(sum).toBe(BigInt(agreed.total_usd_cents));
        for (const { installment_number, amount_usd_cents, owed_usd_cents } of installments) {
          const fee = BigInt(owed_usd_cents) - BigInt(amount_usd_cents);
          const agreed_fee = BigInt(agreed.late_fee_usd_cents);
          expect(late.has(installment_number) ? [0n, agreed_fee] : [0n]).toContain(fee);
        }
        for (const event of events) {
          if (event.type !== 'InstallmentCharged') continue;
          const { installment_number: n, charge } = event.data;
          const share = BigInt(agreed.schedule[n - 1]?.amount_usd_cents ?? 0);
          const fee = BigInt(agreed.late_fee_usd_cents);
          expect(late.has(n) ? [share, share + fee] : [share]).toContain(
            BigInt(charge.amount_usd_cents),
          );
        }
      }),
    );
  });

  test('a row is a state', () => {
    fc.assert(
      fc.property(lives, ({ events, state }) => {
        expect(JSON.parse(JSON.stringify(state))).toEqual(state);
        expect(fold(...events)).toEqual(state);
      }),
    );
  });
});
