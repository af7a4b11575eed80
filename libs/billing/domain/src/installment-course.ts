import { accept, type Accepted } from '@tender/kernel';
import { installmentPlanAfter } from './evolve-installment-plan';
import {
  figuresOfInstallments,
  type Installment,
  type InstallmentCharge,
  type InstallmentPlanEvent,
  type InstallmentPlanFact,
  type KnownInstallmentPlan,
} from './installment-plan';
import {
  defaultsAt,
  installmentDueAt,
  isChargeOver,
  lateAt,
  payableUntil,
} from './installment-times';
import { DAY_MS, doneAt, later } from './time';

/** What one command does to a plan, one event after the other, and what they leave. */
export interface InstallmentCourse {
  readonly plan: KnownInstallmentPlan;
  readonly events: readonly InstallmentPlanEvent[];
}

export const beginInstallments = (plan: KnownInstallmentPlan): InstallmentCourse => ({
  ...{ plan, events: [] },
});

export const takenInstallments = ({ events }: InstallmentCourse): Accepted<InstallmentPlanEvent> =>
  accept<InstallmentPlanEvent>(...events);

/** This happens as well. */
export function occurred(
  { plan, events }: InstallmentCourse,
  fact: InstallmentPlanFact,
): InstallmentCourse {
  const next = installmentPlanAfter(plan, fact);
  const data = { ...fact.data, terms: plan.terms, after: figuresOfInstallments(next) };
  return { plan: next, events: [...events, { type: fact.type, data } as InstallmentPlanEvent] };
}

/** All that is due by then, one installment after the other. Nothing follows a default. */
export function caughtUp(course: InstallmentCourse, now: string): InstallmentCourse {
  let done = course;
  for (let next = dueBy(done.plan, now); next !== null; next = dueBy(done.plan, now)) {
    done = nextStep(done, next.installment, doneAt(next.due_at, now));
  }
  return done;
}

interface DueInstallment {
  readonly installment: Installment;
  readonly due_at: string;
}

function dueBy(
  { status, installments, terms }: KnownInstallmentPlan,
  now: string,
): DueInstallment | null {
  if (status !== 'active') return null;
  for (const installment of installments) {
    const due_at = installmentDueAt(installment, terms);
    if (due_at !== null && due_at <= now) return { installment, due_at };
  }
  return null;
}

function nextStep(
  course: InstallmentCourse,
  installment: Installment,
  at: string,
): InstallmentCourse {
  return isChargeOver(installment, at)
    ? chargeEnded(course, installment, at)
    : stepWithoutMoney(course, installment, at);
}

function chargeEnded(
  course: InstallmentCourse,
  { installment_number, charge }: Installment,
  at: string,
): InstallmentCourse {
  const { charge_number } = charge as InstallmentCharge;
  return occurred(course, {
    type: 'InstallmentChargeEnded',
    data: { installment_number, charge_number, ended_at: at },
  });
}

/** What comes next of an installment that was not paid until then. */
export function stepWithoutMoney(
  course: InstallmentCourse,
  installment: Installment,
  at: string,
): InstallmentCourse {
  const { plan } = course;
  const { asked_at, due_date, status } = installment;
  if (asked_at === null) {
    return due_date <= at ? due(course, installment, at) : reminded(course, installment, at);
  }
  if (defaultsAt(installment, plan.terms) <= at) return defaulted(course, installment, at);
  const is_late = status === 'pending' && lateAt(installment) <= at;
  return is_late ? late(course, installment, at) : reminded(course, installment, at);
}

function reminded(
  course: InstallmentCourse,
  installment: Installment,
  at: string,
): InstallmentCourse {
  const { installment_number, status } = installment;
  const is_late = status === 'late';
  return occurred(course, {
    type: 'InstallmentReminded',
    data: {
      installment_number,
      about: is_late ? 'late' : 'upcoming',
      reminded_at: at,
      next_reminder_at: is_late ? later(at, DAY_MS) : null,
    },
  });
}

/**
 * Charged unless it is already, because its customer asked for it before and that has time left: its payment is open,
 * and there is no second. Its time to pay counts from the due date on then, however late a timer looks.
 */
function due(course: InstallmentCourse, installment: Installment, at: string): InstallmentCourse {
  const { installment_number, due_date, charge } = installment;
  const is_open = charge !== null && at < charge.expires_at;
  const asked_at = is_open ? due_date : doneAt(due_date, at);
  const asked = occurred(course, {
    type: 'InstallmentDue',
    data: { installment_number, asked_at },
  });
  return is_open ? asked : charged(asked, installment_number, at);
}

/** The fee is added, once: no installment is late twice. */
function late(course: InstallmentCourse, installment: Installment, at: string): InstallmentCourse {
  const { installment_number, amount_usd_cents: share } = installment;
  const { terms } = course.plan;
  const owed = BigInt(share) + BigInt(terms.late_fee_usd_cents);
  const told = occurred(course, {
    type: 'InstallmentLate',
    data: {
      installment_number,
      amount_usd_cents: owed.toString(),
      late_at: at,
      next_reminder_at: later(at, DAY_MS),
    },
  });
  return charged(told, installment_number, at);
}

function defaulted(
  course: InstallmentCourse,
  { installment_number, owed_usd_cents: amount_usd_cents }: Installment,
  at: string,
): InstallmentCourse {
  const data = { installment_number, amount_usd_cents, defaulted_at: at };
  return occurred(course, { type: 'InstallmentDefaulted', data });
}

/** What is owed of that installment now can be paid from now on. */
export function charged(
  course: InstallmentCourse,
  installment_number: number,
  at: string,
): InstallmentCourse {
  const { installments, terms } = course.plan;
  const installment = installments[installment_number - 1] as Installment;
  const charge = {
    charge_number: (installment.charge?.charge_number ?? 0) + 1,
    amount_usd_cents: installment.owed_usd_cents,
    expires_at: payableUntil(installment, terms),
  };
  return occurred(course, {
    type: 'InstallmentCharged',
    data: { installment_number, charge, charged_at: at },
  });
}
