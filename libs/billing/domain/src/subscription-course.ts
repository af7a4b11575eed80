import { accept, type Accepted } from '@tender/kernel';
import { nextPeriod, prolonged } from './calendar';
import type { ChargeEnd } from './charge';
import {
  subscriptionAfter,
  type Charge,
  type KnownSubscription,
  type SubscriptionEvent,
  type SubscriptionFact,
} from './subscription';
import {
  attemptEnd,
  ATTEMPTS_MAX,
  figuresOf,
  isLastPeriod,
  subscriptionDueAt,
} from './subscription-times';
import { between, doneAt } from './time';

/** What one command does to a subscription, one event after the other, and what they leave. */
export interface Course {
  readonly subscription: KnownSubscription;
  readonly events: readonly SubscriptionEvent[];
}

export const begin = (subscription: KnownSubscription): Course => ({ subscription, events: [] });

export const taken = ({ events }: Course): Accepted<SubscriptionEvent> =>
  accept<SubscriptionEvent>(...events);

/** This happens as well. */
export function happened({ subscription, events }: Course, fact: SubscriptionFact): Course {
  const next = subscriptionAfter(subscription, fact);
  const data = { ...fact.data, terms: subscription.terms, after: figuresOf(next) };
  const event = { type: fact.type, data } as SubscriptionEvent;
  return { subscription: next, events: [...events, event] };
}

/** All that is due by then: several things may be at the same moment, and none is left due at it. */
export function advanced(course: Course, now: string): Course {
  let done = course;
  for (let due = subscriptionDueAt(done.subscription); due !== null && due <= now; ) {
    done = nextStep(done, doneAt(due, now));
    due = subscriptionDueAt(done.subscription);
  }
  return done;
}

function nextStep(course: Course, at: string): Course {
  const { status, charge, opened, paid_by } = course.subscription;
  if (status === 'Paused') return resumed(course, at);
  if (charge === null || paid_by !== null) return movedOn(course, at);
  // By a link money may have come in time and not be heard of yet: the clock does not judge that.
  if (opened === null || at < charge.expires_at) return unpaid(course, charge, at);
  return chargeEnded(course, charge, { ended_at: at, in_pause: false });
}

const chargeEnded = (course: Course, { charge_number }: Charge, end: ChargeEnd): Course =>
  happened(course, { type: 'SubscriptionChargeEnded', data: { charge_number, ...end } });

/** The charge has ended, and payments says that nothing was paid. A pause is no failure, and attempts begin anew. */
export function failed(
  course: Course,
  charge: Charge,
  { ended_at, in_pause }: ChargeEnd,
  now: string,
): Course {
  const at = doneAt(ended_at, now);
  return in_pause ? chargedAgain(course, 1, at) : unpaid(course, charge, at);
}

/** The trial or a paid period is over: the next one opens, and those that are over as well are skipped. */
export function movedOn(course: Course, at: string): Course {
  const { terms, calendar, period_number, ends_with_period, charge } = course.subscription;
  if (ends_with_period !== null) return cancelled(course, ends_with_period.cancellation_reason, at);
  if (isLastPeriod(course.subscription)) {
    return happened(course, { type: 'SubscriptionExpired', data: { expired_at: at } });
  }
  return happened(course, {
    type: 'SubscriptionPeriodOpened',
    data: {
      calendar: nextPeriod(calendar, terms.plan, at),
      period_number: period_number + 1,
      charge: attemptOf(charge, 1, at),
    },
  });
}

/** The time of a charge is over, or that of a period with which the subscription ends. No later period opens. */
function unpaid(course: Course, charge: Charge, at: string): Course {
  const { period_number, calendar, ends_with_period } = course.subscription;
  const has_failed = charge.expires_at <= at;
  const failed = has_failed
    ? happened(course, {
        type: 'SubscriptionPaymentFailed',
        data: { period_number, charge, failed_at: at },
      })
    : course;
  if (ends_with_period !== null && calendar.end <= at) {
    return cancelled(failed, ends_with_period.cancellation_reason, at);
  }
  if (charge.attempt >= ATTEMPTS_MAX) return cancelled(failed, 'payment_failed', at);
  return chargedAgain(failed, charge.attempt + 1, at);
}

/**
 * The period ends later by the time paused. One that is not paid goes on with its charge while that has time left, for
 * its payment is open; otherwise it is charged anew, from the first attempt on, once payments says that it is not paid.
 */
export function resumed(course: Course, at: string): Course {
  const { terms, calendar, paused, charge, paid_by, ends_with_period } = course.subscription;
  const paused_ms = paused === null ? 0 : between(paused.paused_at, at);
  const is_owed = charge !== null && paid_by === null;
  // First, so that the event of the resume says when the next attempt comes.
  const since =
    is_owed && charge.expires_at <= at
      ? chargeEnded(course, charge, { ended_at: at, in_pause: true })
      : course;
  const going_on = happened(since, {
    type: 'SubscriptionResumed',
    data: { resumed_at: at, calendar: prolonged(calendar, terms.plan, paused_ms) },
  });
  if (!is_owed) return going_on;
  const is_over = going_on.subscription.calendar.end <= at;
  if (ends_with_period !== null && is_over) {
    return cancelled(going_on, ends_with_period.cancellation_reason, at);
  }
  return course.subscription.opened === null ? chargedAgain(going_on, 1, at) : going_on;
}

export const cancelled = (
  course: Course,
  cancellation_reason: string | null,
  cancelled_at: string,
): Course =>
  happened(course, {
    type: 'SubscriptionCancelled',
    data: { cancellation_reason, cancelled_at },
  });

function chargedAgain(course: Course, attempt: number, at: string): Course {
  const { period_number, charge } = course.subscription;
  return happened(course, {
    type: 'SubscriptionChargeDue',
    data: { period_number, charge: attemptOf(charge, attempt, at) },
  });
}

/** The charge after the one before, if there was any. */
export const attemptOf = (before: Charge | null, attempt: number, due_at: string): Charge => ({
  charge_number: (before?.charge_number ?? 0) + 1,
  attempt,
  due_at,
  expires_at: attemptEnd(attempt, due_at),
});
