import { invariant } from '@tender/kernel';
import { DAY_MS, later } from './time';

/** What of a plan is to be paid when. Fixed when the plan is created. */
export interface ScheduledInstallment {
  /** From 1 on. */
  readonly installment_number: number;
  /** ISO 8601 with milliseconds, UTC. */
  readonly due_date: string;
  readonly amount_usd_cents: string;
}

/** Equal shares, floored to cents; the remainder is on the last. */
export function sharesOf(total: bigint, count: number): bigint[] {
  invariant(count >= 1, 'a total has one share or more');
  const share = total / BigInt(count);
  const shares = Array.from({ length: count }, () => share);
  return shares.with(-1, total - share * BigInt(count - 1));
}

export interface Division {
  readonly total_usd_cents: string;
  readonly installment_count: number;
  readonly first_payment_date: string;
  readonly payment_frequency_days: number;
}

/** The shares of a total, each so many days after the one before. */
export const scheduleOf = ({
  total_usd_cents,
  installment_count,
  first_payment_date,
  payment_frequency_days,
}: Division): ScheduledInstallment[] =>
  sharesOf(BigInt(total_usd_cents), installment_count).map((share, index) => ({
    installment_number: index + 1,
    due_date: later(first_payment_date, index * payment_frequency_days * DAY_MS),
    amount_usd_cents: share.toString(),
  }));
