import { accept, refuse, type Decision, type Refused } from '@tender/kernel';
import type { ChargeEnd, OpenedCharge, PaidBy } from './charge';
import type { Charge, KnownSubscription, Subscription, SubscriptionEvent } from './subscription';
import { advanced, begin, failed, happened, movedOn, taken, type Course } from './subscription-course';
import { figuresOf } from './subscription-times';

/** Payments has opened what the charge is paid by. */
export interface RecordSubscriptionCharge {
  readonly type: 'RecordSubscriptionCharge';
  readonly charge_number: number;
  readonly opened: OpenedCharge;
}
/** Payments says of a charge whose time is over: nothing was paid by its link, and nothing can be any more. */
export interface FailSubscriptionCharge {
  readonly type: 'FailSubscriptionCharge';
  readonly charge_number: number;
  /** ISO 8601, business time. */
  readonly now: string;
}
/** A customer wants to pay the current period. */
export interface RequestPeriodPayment {
  readonly type: 'RequestPeriodPayment';
  /** ISO 8601, business time. */
  readonly now: string;
}
/** A payment of that period is confirmed. */
export interface PayPeriod {
  readonly type: 'PayPeriod';
  readonly period_number: number;
  readonly paid_by: PaidBy;
  readonly now: string;
}

/** Where the charge is over, the caller closes what it has opened: nothing is charged after a cancel. */
export function recordSubscriptionCharge(
  { charge_number, opened }: RecordSubscriptionCharge,
  state: Subscription,
): Decision<SubscriptionEvent, 'subscription_unknown' | 'charge_over'> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  const { charge, period_number } = state;
  if (!isCharging(state) || charge?.charge_number !== charge_number) return refuse('charge_over');
  if (state.opened !== null) return accept<SubscriptionEvent>();
  const data = { period_number, charge_number, opened };
  return taken(happened(begin(state), { type: 'SubscriptionChargeOpened', data }));
}

/** Its current period waits for money. */
const isCharging = ({ status, charge, paid_by }: KnownSubscription): boolean =>
  (status === 'Active' || status === 'PastDue') && charge !== null && paid_by === null;

/** The charge of which payments is to say whether it was paid in time; null where there is none. */
export function endedCharge(
  subscription: KnownSubscription,
): { readonly charge: Charge; readonly opened: OpenedCharge; readonly end: ChargeEnd } | null {
  const { charge, opened, charge_ended: end } = subscription;
  if (!isCharging(subscription)) return null;
  return charge && opened && end && { charge, opened, end };
}

/** A charge that is paid, dropped or followed by another meanwhile has not failed: nothing is left to do. */
export function failSubscriptionCharge(
  { charge_number, now }: FailSubscriptionCharge,
  state: Subscription,
): Decision<SubscriptionEvent, 'subscription_unknown'> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  const ended = endedCharge(state);
  if (ended?.charge.charge_number !== charge_number) return accept<SubscriptionEvent>();
  return taken(failed(begin(state), ended.charge, ended.end, now));
}

type Unpayable =
  | 'payment_not_due'
  | 'subscription_already_cancelled'
  | 'invalid_subscription_state';

/** By which charge the current period is paid now, or why by none. */
export function chargeToPay(
  subscription: KnownSubscription,
): Refused<Unpayable> | { readonly ok: true; readonly charge: Charge } {
  const { status, charge, paid_by } = subscription;
  if (status === 'Cancelled') return refuse('subscription_already_cancelled');
  if (status === 'Paused' || status === 'Expired') {
    return refuse('invalid_subscription_state', { status });
  }
  return charge === null || paid_by !== null ? refuse('payment_not_due') : { ok: true, charge };
}

/** The charge that is open already; what was due before, and no timer has seen to yet, is done first. */
export function requestPeriodPayment(
  { now }: RequestPeriodPayment,
  state: Subscription,
): Decision<SubscriptionEvent, 'subscription_unknown' | Unpayable> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  const course = advanced(begin(state), now);
  const payable = chargeToPay(course.subscription);
  return payable.ok ? taken(course) : payable;
}

/**
 * A period is paid at most once, and counts whenever it is paid: late, paused, or after the end. Every period before
 * the current one is paid, because no other opens until it is. Once it is, the one opens that contains now.
 */
export function payPeriod(
  { period_number, paid_by, now }: PayPeriod,
  state: Subscription,
): Decision<
  SubscriptionEvent,
  'subscription_unknown' | 'period_unknown' | 'period_already_paid'
> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  if (period_number < 1 || period_number > state.period_number) return refuse('period_unknown');
  const is_current = period_number === state.period_number;
  if (is_current && state.paid_by?.payment_id === paid_by.payment_id) {
    return accept<SubscriptionEvent>();
  }
  if (!is_current || state.paid_by !== null) return refuse('period_already_paid');
  const { start: period_start, end: period_end } = state.calendar;
  const course = happened(begin(state), {
    type: 'SubscriptionRenewed',
    data: { period_number, period_start, period_end, paid_by, renewed_at: now },
  });
  const { status } = course.subscription;
  return taken(status === 'Active' && period_end <= now ? renewedLate(course, now) : course);
}

/**
 * Its period is over by now. Merchants hear of the next one that opens by the renewal alone, so that this tells the
 * figures of that one: its own end and next attempt have passed.
 */
function renewedLate(renewed: Course, now: string): Course {
  const course = movedOn(renewed, now);
  if (course.events.at(-1)?.type !== 'SubscriptionPeriodOpened') return course;
  const after = figuresOf(course.subscription);
  const events = course.events.map((event): SubscriptionEvent =>
    event.type === 'SubscriptionRenewed' ? { ...event, data: { ...event.data, after } } : event,
  );
  return { ...course, events };
}
