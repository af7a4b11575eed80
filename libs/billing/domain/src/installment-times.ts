import type { Installment, InstallmentPlanTerms, KnownInstallmentPlan } from './installment-plan';
import { DAY_MS, later } from './time';

const REMINDED_DAYS_BEFORE = 3;

type Grace = Pick<InstallmentPlanTerms, 'grace_period_days'>;
type Asked = Pick<Installment, 'due_date' | 'asked_at'>;

const askedAt = ({ due_date, asked_at }: Asked): string => asked_at ?? due_date;

/** When the plan defaults for it. */
export const defaultsAt = (installment: Asked, { grace_period_days }: Grace): string =>
  later(askedAt(installment), grace_period_days * DAY_MS);

/** When it is late. Where the plan defaults at the same time, that alone counts. */
export const lateAt = (installment: Asked): string => later(askedAt(installment), DAY_MS);

/** The first reminder: three days before it is due, if the plan is older than that. */
export function firstReminderAt(due_date: string, created_at: string): string | null {
  const at = later(due_date, -REMINDED_DAYS_BEFORE * DAY_MS);
  return at > created_at ? at : null;
}

/** Until when it can be paid as it is now. */
export const payableUntil = (installment: Installment, terms: Grace): string =>
  installment.status === 'pending' ? lateAt(installment) : defaultsAt(installment, terms);

/** By a link money may have come in time and not be heard of yet: what comes next is for payments to say. */
export const isChargeOver = ({ charge, opened }: Installment, at: string): boolean =>
  charge !== null && opened !== null && charge.expires_at <= at;

/** When something is next to happen to an installment of an active plan by itself. */
export function installmentDueAt(installment: Installment, terms: Grace): string | null {
  const { status, asked_at, due_date, next_reminder_at, charge_ended } = installment;
  if (status === 'paid' || status === 'voided' || charge_ended) return null;
  const next = asked_at === null ? due_date : payableUntil(installment, terms);
  return next_reminder_at !== null && next_reminder_at < next ? next_reminder_at : next;
}

/** When something is next to happen to a plan by itself; null while nothing is. */
export function installmentPlanDueAt({
  status,
  terms,
  installments,
}: KnownInstallmentPlan): string | null {
  if (status !== 'active') return null;
  const times = installments.map((installment) => installmentDueAt(installment, terms));
  return times.filter((time) => time !== null).toSorted()[0] ?? null;
}

/** The first one that is still to be paid; null where there is none, or the plan is over. */
export function nextInstallment({
  status,
  installments,
}: KnownInstallmentPlan): Installment | null {
  if (status !== 'active') return null;
  return installments.find(({ paid_by }) => paid_by === null) ?? null;
}
