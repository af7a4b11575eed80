import type { Currency, Mode } from '@tender/kernel';
import type { BillingCalendar, BillingRhythm } from './calendar';
import type { ChargeEnd, Locale, OpenedCharge, PaidBy, SealedRecipient } from './charge';
import type { EventOf, FactOf } from './happened';

/** The plan as it was when the customer agreed to it. */
export interface AgreedPlan extends BillingRhythm {
  readonly plan_id: string;
  readonly plan_name: string;
  readonly amount_minor: string;
  readonly currency: Currency;
  readonly trial_days: number;
  readonly max_cycles: number | null;
}

/** What a subscription is about: fixed when it is made. Times are ISO 8601 with milliseconds, UTC. */
export interface SubscriptionTerms {
  readonly subscription_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly plan: AgreedPlan;
  readonly customer_wallet: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly locale: Locale;
  /** The e-mail that a customer gave is not written to before the first payment: it may be a stranger’s. */
  readonly made_by: 'merchant' | 'customer';
  readonly trial_end: string | null;
  readonly created_at: string;
}

/** One attempt to have a period paid. It can be paid until the next one begins. */
export interface Charge {
  /** Counts the charges of the subscription: what payments opens for it derives from this. */
  readonly charge_number: number;
  /** Of this period, from 1 on; from 1 again after a pause. */
  readonly attempt: number;
  readonly due_at: string;
  readonly expires_at: string;
}

export type SubscriptionStatus =
  | 'Trialing'
  | 'Active'
  | 'PastDue'
  | 'Paused'
  | 'Cancelled'
  | 'Expired';

/** What an event leaves, of what merchants are told of a subscription. */
export interface SubscriptionFigures {
  readonly status: SubscriptionStatus;
  readonly current_period_start: string;
  readonly current_period_end: string;
  readonly next_payment_attempt: string | null;
  readonly cycles_completed: number;
}

interface SubscriptionFacts {
  readonly SubscriptionCreated: {
    readonly customer: SealedRecipient | null;
    /** Of the trial, or of the first period. */
    readonly calendar: BillingCalendar;
    /** Of the first period; null while a trial comes first. */
    readonly charge: Charge | null;
  };
  /** The next period begins, and is charged. */
  readonly SubscriptionPeriodOpened: {
    readonly calendar: BillingCalendar;
    /** Counts the periods that were opened: skipped ones are not. */
    readonly period_number: number;
    readonly charge: Charge;
  };
  /** The current period is charged again. */
  readonly SubscriptionChargeDue: { readonly period_number: number; readonly charge: Charge };
  /** Its link and payment exist. */
  readonly SubscriptionChargeOpened: {
    readonly period_number: number;
    readonly charge_number: number;
    readonly opened: OpenedCharge;
  };
  /** The time of a charge is over. What came of it payments says, once the chain was seen past that time. */
  readonly SubscriptionChargeEnded: { readonly charge_number: number } & ChargeEnd;
  /** The time of a charge is over, and nothing was paid. */
  readonly SubscriptionPaymentFailed: {
    readonly period_number: number;
    readonly charge: Charge;
    readonly failed_at: string;
  };
  /** A period is paid, be it after its end, or the subscription’s. */
  readonly SubscriptionRenewed: {
    readonly period_number: number;
    readonly period_start: string;
    readonly period_end: string;
    readonly paid_by: PaidBy;
    readonly renewed_at: string;
  };
  readonly SubscriptionPaused: {
    readonly paused_at: string;
    readonly resumes_at: string | null;
  };
  readonly SubscriptionResumed: {
    readonly resumed_at: string;
    /** With the end moved by the time paused. */
    readonly calendar: BillingCalendar;
  };
  /** It ends with the current period. */
  readonly SubscriptionCancelRequested: {
    readonly cancellation_reason: string | null;
    readonly requested_at: string;
  };
  readonly SubscriptionCancelled: {
    readonly cancellation_reason: string | null;
    readonly cancelled_at: string;
  };
  /** All its periods are over. */
  readonly SubscriptionExpired: { readonly expired_at: string };
}

/** What has happened. */
export type SubscriptionFact = FactOf<SubscriptionFacts>;

export type SubscriptionEvent = EventOf<
  SubscriptionFacts,
  {
    readonly terms: SubscriptionTerms;
    readonly after: SubscriptionFigures;
  }
>;

export interface KnownSubscription {
  readonly status: SubscriptionStatus;
  readonly terms: SubscriptionTerms;
  readonly customer: SealedRecipient | null;
  readonly calendar: BillingCalendar;
  /** 0 in the trial. */
  readonly period_number: number;
  /** The newest charge of the current period; null in the trial. */
  readonly charge: Charge | null;
  readonly opened: OpenedCharge | null;
  /** Its time is over, and payments has yet to say that nothing was paid in it. */
  readonly charge_ended: ChargeEnd | null;
  /** The money of the current period. Every period before it is paid. */
  readonly paid_by: PaidBy | null;
  readonly cycles_completed: number;
  readonly ends_with_period: { readonly cancellation_reason: string | null } | null;
  readonly paused: { readonly paused_at: string; readonly resumes_at: string | null } | null;
  readonly cancellation_reason: string | null;
  readonly cancelled_at: string | null;
  readonly updated_at: string;
}
export type Subscription = { readonly status: 'unknown' } | KnownSubscription;

export const UNKNOWN_SUBSCRIPTION: Subscription = { status: 'unknown' };

/** The fold: of the decider, of the row and of a GET by id alike. */
export function evolveSubscription(state: Subscription, event: SubscriptionEvent): Subscription {
  if (event.type === 'SubscriptionCreated') return newSubscription(event.data);
  return state.status === 'unknown' ? state : subscriptionAfter(state, event);
}

/** A subscription that nothing has happened to yet. */
export const newSubscription = ({
  terms,
  customer,
  calendar,
  charge,
}: SubscriptionFacts['SubscriptionCreated'] & {
  readonly terms: SubscriptionTerms;
}): KnownSubscription => ({
  status: terms.trial_end === null ? 'Active' : 'Trialing',
  terms,
  customer,
  calendar,
  period_number: charge === null ? 0 : 1,
  charge,
  opened: null,
  charge_ended: null,
  paid_by: null,
  cycles_completed: 0,
  ends_with_period: null,
  paused: null,
  cancellation_reason: null,
  cancelled_at: null,
  updated_at: terms.created_at,
});

/** The subscription once this has happened to it. */
export function subscriptionAfter(
  state: KnownSubscription,
  fact: SubscriptionFact,
): KnownSubscription {
  switch (fact.type) {
    case 'SubscriptionPeriodOpened': {
      const { calendar, period_number, charge } = fact.data;
      const opened = { status: 'Active', calendar, period_number, paid_by: null } as const;
      return { ...state, ...opened, ...charged(charge) };
    }
    case 'SubscriptionChargeDue':
      return { ...state, ...charged(fact.data.charge) };
    case 'SubscriptionChargeOpened':
      return { ...state, opened: fact.data.opened };
    case 'SubscriptionChargeEnded': {
      const { ended_at, in_pause } = fact.data;
      return { ...state, charge_ended: { ended_at, in_pause } };
    }
    case 'SubscriptionPaymentFailed':
      return { ...state, status: 'PastDue', updated_at: fact.data.failed_at };
    case 'SubscriptionRenewed':
      return renewed(state, fact.data);
    case 'SubscriptionPaused': {
      const { paused_at, resumes_at } = fact.data;
      return { ...state, status: 'Paused', paused: { paused_at, resumes_at }, updated_at: paused_at };
    }
    case 'SubscriptionResumed': {
      const { calendar, resumed_at } = fact.data;
      return { ...state, status: 'Active', paused: null, calendar, updated_at: resumed_at };
    }
    case 'SubscriptionCancelRequested': {
      const { cancellation_reason, requested_at } = fact.data;
      return { ...state, ends_with_period: { cancellation_reason }, updated_at: requested_at };
    }
    case 'SubscriptionCancelled': {
      const { cancellation_reason, cancelled_at } = fact.data;
      const ended = { status: 'Cancelled', cancellation_reason, cancelled_at, paused: null } as const;
      return { ...state, ...ended, updated_at: cancelled_at };
    }
    case 'SubscriptionExpired':
      return { ...state, status: 'Expired', updated_at: fact.data.expired_at };
    default:
      return state;
  }
}

const charged = (charge: Charge) => ({
  ...{ charge, opened: null, charge_ended: null, updated_at: charge.due_at },
});

/** Paid in time or late: while it is paused or over it stays so. */
function renewed(
  state: KnownSubscription,
  { paid_by, renewed_at }: SubscriptionFacts['SubscriptionRenewed'],
): KnownSubscription {
  const status = state.status === 'PastDue' ? 'Active' : state.status;
  const cycles_completed = state.cycles_completed + 1;
  return { ...state, status, paid_by, cycles_completed, updated_at: renewed_at };
}
