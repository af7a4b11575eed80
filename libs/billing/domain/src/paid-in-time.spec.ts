import { decide, type AnyDecider, type CommandOf, type EventOf, type StateOf } from '@tender/kernel';
import fc from 'fast-check';
import { installmentPlanDecider } from './decide-installment-plan';
import { subscriptionDecider } from './decide-subscription';
import type { KnownInstallmentPlan } from './installment-plan';
import { installmentPlanDueAt } from './installment-times';
import type { KnownSubscription } from './subscription';
import { subscriptionDueAt } from './subscription-times';
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
import {
  advancePlan,
  createPlan,
  CREATED,
  failCharge,
  payInstallment,
  recordCharge,
  requestInstallment,
} from './testing/an-installment-plan';
import { stepsOf, type Step } from './testing/lived';
import { DAY_MS, later } from './time';

/** A charge that payments has opened: its customer can pay it until its end, in a block that is seen later. */
interface Open {
  readonly part: number;
  readonly charge_number: number;
  readonly expires_at: string;
  paid_at: string | null;
  /** Billing has been told that it is paid, or that it is not and cannot be. */
  is_settled: boolean;
}

interface Charged<Rules extends AnyDecider, State> {
  readonly rules: Rules;
  readonly from: string;
  readonly create: CommandOf<Rules>;
  readonly dueAt: (state: State) => string | null;
  /** What waits for its link. */
  readonly unopened: (state: State) => readonly Pick<Open, 'part' | 'charge_number' | 'expires_at'>[];
  readonly advance: (due_at: string, now: string) => CommandOf<Rules>;
  readonly opened: (open: Open) => CommandOf<Rules>;
  readonly unpaid: (open: Open, now: string) => CommandOf<Rules>;
  readonly paid: (open: Open, now: string) => CommandOf<Rules>;
  /** Whatever else its merchant and customer ask. */
  readonly asked: (choice: number, now: string) => CommandOf<Rules>;
}

const KINDS = ['timer', 'open', 'pay', 'hear', 'hear', 'ask', 'timer', 'open'];
const someSteps = (days: number) => stepsOf(KINDS, days);
const manySteps = (days: number): fc.Arbitrary<Step[]> =>
  fc.array(someSteps(days), { minLength: 4, maxLength: 8 }).map((all) => all.flat());

/** A chain that is seen as late as it likes, a customer who pays what is open, and a timer that looks when it will. */
function world<Rules extends AnyDecider, State>(of: Charged<Rules, State>, steps: readonly Step[]) {
  const evolve = of.rules.evolve as (state: unknown, event: unknown) => State;
  const events: EventOf<Rules>[] = [];
  const charges: Open[] = [];
  let state = of.rules.initial as State;
  let now = of.from;
  give(of.create);
  for (const [kind, waits_ms, choice] of steps) {
    now = later(now, waits_ms);
    if (kind === 'timer') runTimer();
    else if (kind === 'open') openAll();
    else if (kind === 'pay') payOne(choice);
    else if (kind === 'hear') hear(choice);
    else give(of.asked(choice, now));
    const payable = charges.filter((one) => isPayable(one));
    const parts = payable.map(({ part }) => part);
    expect(parts).toEqual([...new Set(parts)]);
  }
  for (const charge of charges) if (charge.paid_at !== null) tell(charge);
  return { state, events, charges };

  function isPayable({ is_settled, paid_at, expires_at }: Open): boolean {
    return !is_settled && paid_at === null && now < expires_at;
  }
  function runTimer(): void {
    const due = of.dueAt(state);
    if (due !== null && due <= now) give(of.advance(due, now));
  }
  function openAll(): void {
    for (const one of of.unopened(state)) {
      const open = { ...one, paid_at: null, is_settled: false };
      if (one.expires_at > now && give(of.opened(open))) charges.push(open);
    }
  }
  function payOne(choice: number): void {
    const payable = charges.filter((one) => isPayable(one));
    const chosen = payable[choice % Math.max(1, payable.length)];
    if (chosen) chosen.paid_at = now;
  }
  function hear(choice: number): void {
    const waiting = charges.filter(
      ({ is_settled, paid_at, expires_at }) => !is_settled && (paid_at ?? expires_at) <= now,
    );
    const chosen = waiting[choice % Math.max(1, waiting.length)];
    if (chosen) tell(chosen);
  }
  /** It is asked again as long as billing has not seen its end: as facts that are heard more than once. */
  function tell(charge: Open): void {
    if (charge.paid_at !== null) charge.is_settled = true;
    give(charge.paid_at === null ? of.unpaid(charge, now) : of.paid(charge, now));
  }
  function give(command: CommandOf<Rules>): boolean {
    const decision = decide(of.rules, command, state as StateOf<Rules>);
    if (!decision.ok) return false;
    for (const event of decision.events) {
      state = evolve(state, event);
      events.push(event);
    }
    return true;
  }
}

type Command = CommandOf<typeof subscriptionDecider>;
const paidInTime = (charges: readonly Open[]) => charges.filter(({ paid_at }) => paid_at !== null);

test('a period that is paid in time by one of its charges fails by none, and no two of its payments are open', () => {
  const begun = manySteps(2);
  const lives = fc.tuple(fc.constantFrom('daily', 'weekly', 'monthly'), begun).map(([interval, steps]) =>
    world<typeof subscriptionDecider, KnownSubscription>(
      {
        ...{ rules: subscriptionDecider, from: BEGAN },
        create: create({ billing_interval: interval }),
        ...{ dueAt: subscriptionDueAt, advance },
        unopened: ({ charge, opened, period_number: part, paid_by }) =>
          charge === null || opened !== null || paid_by !== null ? [] : [{ ...charge, part }],
        opened: ({ charge_number }) => record(charge_number, OPENED),
        unpaid: ({ charge_number }, now) => fail(charge_number, now),
        paid: ({ part, charge_number, paid_at }, now) =>
          pay(part, now, `pay_test_${charge_number}`, paid_at ?? now),
        asked: (choice, now) => {
          if (choice === 23) return cancel(now);
          return [pause(now), resume(now), request(now)][choice % 3] as Command;
        },
      },
      steps,
    ),
  );
  fc.assert(
    fc.property(lives, ({ events, charges, state }) => {
      const failed = events.flatMap(({ type, data }) =>
        type === 'SubscriptionPaymentFailed' ? [data.charge.charge_number] : [],
      );
      const paid = paidInTime(charges);
      for (const { charge_number } of paid) expect(failed).not.toContain(charge_number);
      const periods = paid.map(({ part }) => part);
      expect(periods).toEqual([...new Set(periods)]);
      expect(state.cycles_completed).toBe(periods.length);
    }),
    { numRuns: 400 },
  );
});

const FREQUENT = { grace_period_days: 2, payment_frequency_days: 2, installment_count: 4 };

test('an installment that is paid in time is not late, ends no plan, and has no two payments open', () => {
  const lives = manySteps(2).map((steps) =>
    world<typeof installmentPlanDecider, KnownInstallmentPlan>(
      {
        ...{ rules: installmentPlanDecider, from: CREATED },
        create: createPlan({ ...FREQUENT, first_payment_date: later(CREATED, DAY_MS) }),
        ...{ dueAt: installmentPlanDueAt, advance: advancePlan },
        unopened: ({ installments }) =>
          installments.flatMap(({ charge, opened, paid_by, installment_number: part }) =>
            charge === null || opened !== null || paid_by !== null ? [] : [{ ...charge, part }],
          ),
        opened: ({ part, charge_number }) => recordCharge(part, charge_number, OPENED),
        unpaid: ({ part, charge_number }, now) => failCharge(part, charge_number, now),
        paid: ({ part, charge_number, paid_at }, now) =>
          payInstallment(part, now, `pay_test_${part}_${charge_number}`, paid_at ?? now),
        asked: (_, now) => requestInstallment(now),
      },
      steps,
    ),
  );
  fc.assert(
    fc.property(lives, ({ events, charges, state }) => {
      const paid = paidInTime(charges);
      const missed = events.flatMap(({ type, data }) =>
        type === 'InstallmentDefaulted' ? [data.installment_number] : [],
      );
      for (const { part, charge_number } of paid) {
        expect(missed).not.toContain(part);
        const { amount_usd_cents, owed_usd_cents, charge } = state.installments[part - 1] ?? {};
        expect(charge?.charge_number).toBe(charge_number);
        if (charge_number === 1) expect(owed_usd_cents).toBe(amount_usd_cents);
      }
      const parts = paid.map(({ part }) => part);
      expect(parts).toEqual([...new Set(parts)]);
    }),
    { numRuns: 400 },
  );
});
