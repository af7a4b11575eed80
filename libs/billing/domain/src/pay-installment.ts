import { accept, refuse, type Decision, type Refused } from '@tender/kernel';
import type { OpenedCharge, PaidBy } from './charge';
import {
  beginInstallments,
  caughtUp,
  charged,
  occurred,
  stepWithoutMoney,
  takenInstallments,
  type InstallmentCourse,
} from './installment-course';
import type {
  Installment,
  InstallmentCharge,
  InstallmentPlan,
  InstallmentPlanEvent,
  KnownInstallmentPlan,
} from './installment-plan';
import { lateAt, nextInstallment } from './installment-times';
import { remindableAt } from './reminders';
import { doneAt } from './time';

/** A customer is to pay the next installment, be it due or not. */
export interface RequestInstallment {
  readonly type: 'RequestInstallment';
  /** ISO 8601, business time. */
  readonly now: string;
}
/** Payments has opened what the charge is paid by. */
export interface RecordInstallmentCharge {
  readonly type: 'RecordInstallmentCharge';
  readonly installment_number: number;
  readonly charge_number: number;
  readonly opened: OpenedCharge;
}
/** By the link of the charge a payment has begun. */
export interface RecordInstallmentPayment {
  readonly type: 'RecordInstallmentPayment';
  readonly installment_number: number;
  readonly payment_link_id: string;
  readonly payment_id: string;
}
/** Payments says of a charge whose time is over: nothing was paid by its link, and nothing can be any more. */
export interface FailInstallmentCharge {
  readonly type: 'FailInstallmentCharge';
  readonly installment_number: number;
  readonly charge_number: number;
  readonly now: string;
}
/** A payment of that installment is confirmed. */
export interface PayInstallment {
  readonly type: 'PayInstallment';
  readonly installment_number: number;
  readonly paid_by: PaidBy;
  readonly now: string;
}

/**
 * Asked again, the charge is the same, and its customer gets a mail with its link again; what was due before, and no
 * timer has seen to yet, is done first.
 */
export function requestInstallment(
  { now }: RequestInstallment,
  state: InstallmentPlan,
): Decision<
  InstallmentPlanEvent,
  'installment_plan_unknown' | 'plan_not_active' | 'no_installment_due'
> {
  if (state.status === 'unknown') return refuse('installment_plan_unknown');
  const course = caughtUp(beginInstallments(state), now);
  const { status } = course.plan;
  if (status !== 'active') return refuse('plan_not_active', { status });
  const next = nextInstallment(course.plan);
  if (next === null) return refuse('no_installment_due');
  return takenInstallments(
    next.charge === null
      ? charged(course, next.installment_number, now)
      : remindedOfLink(course, next, now),
  );
}

/** Once an hour, and three times in 24 hours. What this request has brought about sends a mail of its own. */
function remindedOfLink(
  course: InstallmentCourse,
  installment: Installment,
  now: string,
): InstallmentCourse {
  const { installment_number, next_reminder_at, opened, charge_ended } = installment;
  const is_told = course.events.length > 0;
  if (is_told || opened === null || charge_ended || now < (remindableAt(installment) ?? now)) {
    return course;
  }
  return occurred(course, {
    type: 'InstallmentReminded',
    data: { installment_number, about: 'payable', reminded_at: now, next_reminder_at },
  });
}

type NotFound = 'installment_plan_unknown' | 'installment_unknown';

interface Found {
  readonly ok: true;
  readonly plan: KnownInstallmentPlan;
  readonly installment: Installment;
}

function installmentIn(plan: InstallmentPlan, number: number): Found | Refused<NotFound> {
  if (plan.status === 'unknown') return refuse('installment_plan_unknown');
  const installment = plan.installments[number - 1];
  return installment ? { ok: true, plan, installment } : refuse('installment_unknown');
}

/** Where the charge is over, the caller closes what it has opened. */
export function recordInstallmentCharge(
  { installment_number, charge_number, opened }: RecordInstallmentCharge,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, NotFound | 'charge_over'> {
  const found = installmentIn(state, installment_number);
  if (!found.ok) return found;
  const { plan, installment } = found;
  const is_over = plan.status !== 'active' || installment.paid_by !== null;
  if (is_over || installment.charge?.charge_number !== charge_number) return refuse('charge_over');
  if (installment.opened !== null) return accept<InstallmentPlanEvent>();
  return takenInstallments(
    occurred(beginInstallments(plan), {
      type: 'InstallmentChargeOpened',
      data: { installment_number, charge_number, opened },
    }),
  );
}

/** The payment of a charge that is over is left to itself: its money counts if it comes. */
export function recordInstallmentPayment(
  { installment_number, payment_link_id, payment_id }: RecordInstallmentPayment,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, NotFound | 'charge_over'> {
  const found = installmentIn(state, installment_number);
  if (!found.ok) return found;
  const { plan, installment } = found;
  const { opened, paid_by } = installment;
  const is_over = plan.status !== 'active' || paid_by !== null;
  if (is_over || opened?.payment_link_id !== payment_link_id) return refuse('charge_over');
  if (opened.payment_id === payment_id) return accept<InstallmentPlanEvent>();
  return takenInstallments(
    occurred(beginInstallments(plan), {
      type: 'InstallmentPaymentBegun',
      data: { installment_number, payment_id },
    }),
  );
}

/** The charge of which payments is to say whether it was paid in time; null where there is none. */
export function endedInstallmentCharge(
  { status, installments }: KnownInstallmentPlan,
  installment_number: number,
): { readonly charge: InstallmentCharge; readonly opened: OpenedCharge } | null {
  const installment = installments[installment_number - 1];
  if (status !== 'active' || !installment?.charge_ended || installment.paid_by !== null) return null;
  const { charge, opened } = installment;
  return charge && opened && { charge, opened };
}

/** A charge that is paid or dropped meanwhile has not failed: nothing is left to do. */
export function failInstallmentCharge(
  { installment_number, charge_number, now }: FailInstallmentCharge,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, NotFound> {
  const found = installmentIn(state, installment_number);
  if (!found.ok) return found;
  const { plan, installment } = found;
  const ended = endedInstallmentCharge(plan, installment_number);
  if (ended?.charge.charge_number !== charge_number) return accept<InstallmentPlanEvent>();
  const at = doneAt(ended.charge.expires_at, now);
  return takenInstallments(stepWithoutMoney(beginInstallments(plan), installment, at));
}

/** An installment is paid at most once, and counts whenever it is paid; a plan that is over stays what it is. */
export function payInstallment(
  { installment_number, paid_by, now }: PayInstallment,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, NotFound | 'installment_already_paid'> {
  const found = installmentIn(state, installment_number);
  if (!found.ok) return found;
  const { plan, installment } = found;
  if (installment.paid_by !== null) {
    const is_same = installment.paid_by.payment_id === paid_by.payment_id;
    return is_same ? accept<InstallmentPlanEvent>() : refuse('installment_already_paid');
  }
  const amount_usd_cents = amountPaid(installment, paid_by);
  const paid = occurred(beginInstallments(plan), {
    type: 'InstallmentPaid',
    data: { installment_number, amount_usd_cents, paid_by, recorded_at: now },
  });
  if (plan.status !== 'active' || nextInstallment(paid.plan) !== null) {
    return takenInstallments(paid);
  }
  const data = { installment_number, amount_usd_cents, completed_at: now };
  return takenInstallments(occurred(paid, { type: 'InstallmentPlanCompleted', data }));
}

/** Paid by the end of its time, though that is heard of only now: the share without the fee. */
const amountPaid = (installment: Installment, { paid_at }: PaidBy): string =>
  paid_at <= lateAt(installment) ? installment.amount_usd_cents : installment.owed_usd_cents;
