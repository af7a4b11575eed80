import type { KnownSubscription, SubscriptionFigures } from './subscription';
import { DAY_MS, later } from './time';

/** How long each attempt can be paid: they begin at 0, +1, +3 and +5 days, and the last lives for two. */
const ATTEMPT_DAYS = [1, 2, 2, 2] as const;
export const ATTEMPTS_MAX = ATTEMPT_DAYS.length;

/** When the attempt of that number, begun then, is over. */
export const attemptEnd = (attempt: number, due_at: string): string =>
  later(due_at, (ATTEMPT_DAYS[attempt - 1] ?? 0) * DAY_MS);

/** It ends with its current period, by its customer’s or merchant’s will or because that is the last one. */
export const isLastPeriod = ({
  terms,
  cycles_completed,
  ends_with_period,
}: KnownSubscription): boolean =>
  ends_with_period !== null ||
  (terms.plan.max_cycles !== null && cycles_completed >= terms.plan.max_cycles);

/** When something is next to happen to it by itself; null while nothing is, or payments is to say what comes next. */
export function subscriptionDueAt(subscription: KnownSubscription): string | null {
  const { status, calendar, charge, paid_by, paused, ends_with_period } = subscription;
  switch (status) {
    case 'Trialing':
      return calendar.end;
    case 'Active':
    case 'PastDue': {
      if (charge === null || paid_by !== null) return calendar.end;
      if (subscription.charge_ended) return null;
      const ends_first = ends_with_period !== null && calendar.end < charge.expires_at;
      return ends_first ? calendar.end : charge.expires_at;
    }
    case 'Paused':
      return paused?.resumes_at ?? null;
    case 'Cancelled':
    case 'Expired':
      return null;
  }
}

/**
 * When it is next charged, as far as is known; null when it will not be. A charge whose time is over is followed by
 * another from its end on, unless payments says that it was paid.
 */
export function nextPaymentAttempt(subscription: KnownSubscription): string | null {
  const { status, calendar, charge, charge_ended: end, paid_by, ends_with_period } = subscription;
  if (status === 'Paused' || status === 'Cancelled' || status === 'Expired') return null;
  if (charge === null || paid_by !== null) return isLastPeriod(subscription) ? null : calendar.end;
  const next = end?.ended_at ?? charge.expires_at;
  const ends_first = ends_with_period !== null && calendar.end <= next;
  const is_last = charge.attempt >= ATTEMPTS_MAX && end?.in_pause !== true;
  return ends_first || is_last ? null : next;
}

/** What merchants are told of it that changes. */
export const figuresOf = (subscription: KnownSubscription): SubscriptionFigures => ({
  status: subscription.status,
  current_period_start: subscription.calendar.start,
  current_period_end: subscription.calendar.end,
  next_payment_attempt: nextPaymentAttempt(subscription),
  cycles_completed: subscription.cycles_completed,
});

/** Whether its customer may be written to: at an e-mail that no merchant gave, not before the first payment. */
export const mayBeMailed = ({ customer, terms, cycles_completed }: KnownSubscription): boolean =>
  customer !== null && (terms.made_by === 'merchant' || cycles_completed > 0);
