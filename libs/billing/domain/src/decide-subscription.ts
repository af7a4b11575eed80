import { accept, refuse, type Decider, type Decision, type Refused } from '@tender/kernel';
import { firstPeriod } from './calendar';
import type { SealedRecipient } from './charge';
import {
  failSubscriptionCharge,
  payPeriod,
  recordSubscriptionCharge,
  requestPeriodPayment,
} from './charge-subscription';
import {
  evolveSubscription,
  newSubscription,
  UNKNOWN_SUBSCRIPTION,
  type KnownSubscription,
  type Subscription,
  type SubscriptionEvent,
  type SubscriptionTerms,
} from './subscription';
import {
  advanced,
  attemptOf,
  begin,
  cancelled,
  happened,
  resumed,
  taken,
} from './subscription-course';
import { figuresOf, subscriptionDueAt } from './subscription-times';
import { doneAt } from './time';

export interface CreateSubscription {
  readonly type: 'CreateSubscription';
  readonly terms: Omit<SubscriptionTerms, 'trial_end'>;
  readonly customer: SealedRecipient | null;
  readonly plan_is_active: boolean;
}
/** What its row says is due has come. */
export interface AdvanceSubscription {
  readonly type: 'AdvanceSubscription';
  /** ISO 8601, business time. */
  readonly due_at: string;
  readonly now: string;
}
export interface PauseSubscription {
  readonly type: 'PauseSubscription';
  /** Null: until the merchant resumes it. */
  readonly resumes_at: string | null;
  readonly now: string;
}
export interface ResumeSubscription {
  readonly type: 'ResumeSubscription';
  readonly now: string;
}
export interface CancelSubscription {
  readonly type: 'CancelSubscription';
  readonly cancel_at_period_end: boolean;
  readonly cancellation_reason: string | null;
  readonly now: string;
}

/** What happens to a subscription, by the type of the command. Each arrow that is not here is refused by name. */
export const subscriptionDecider = {
  initial: UNKNOWN_SUBSCRIPTION,
  evolve: evolveSubscription,
  decide: {
    CreateSubscription: createSubscription,
    AdvanceSubscription: advanceSubscription,
    RecordSubscriptionCharge: recordSubscriptionCharge,
    FailSubscriptionCharge: failSubscriptionCharge,
    RequestPeriodPayment: requestPeriodPayment,
    PayPeriod: payPeriod,
    PauseSubscription: pauseSubscription,
    ResumeSubscription: resumeSubscription,
    CancelSubscription: cancelSubscription,
  },
} satisfies Decider<Subscription, SubscriptionEvent>;

type Unknown = 'subscription_unknown';

const wrongState = ({ status }: KnownSubscription): Refused<'invalid_subscription_state'> =>
  refuse('invalid_subscription_state', { status });

function createSubscription(
  { terms: asked, customer, plan_is_active }: CreateSubscription,
  state: Subscription,
): Decision<SubscriptionEvent, 'subscription_exists' | 'plan_inactive'> {
  if (state.status !== 'unknown') return refuse('subscription_exists');
  if (!plan_is_active) return refuse('plan_inactive');
  const { plan, created_at } = asked;
  const calendar = firstPeriod(created_at, plan, plan.trial_days);
  const has_trial = plan.trial_days > 0;
  const terms = { ...asked, trial_end: has_trial ? calendar.end : null };
  const charge = has_trial ? null : attemptOf(null, 1, created_at);
  const data = { terms, customer, calendar, charge };
  const after = figuresOf(newSubscription(data));
  return accept<SubscriptionEvent>({ type: 'SubscriptionCreated', data: { ...data, after } });
}

/** Done before, or over: nothing is left to do. */
function advanceSubscription(
  { due_at, now }: AdvanceSubscription,
  state: Subscription,
): Decision<SubscriptionEvent, Unknown | 'not_due_yet'> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  const next = subscriptionDueAt(state);
  if (next === null) return accept<SubscriptionEvent>();
  if (due_at < next) return refuse('not_due_yet', { due_at: next });
  return taken(advanced(begin(state), doneAt(due_at, now)));
}

function pauseSubscription(
  { resumes_at, now }: PauseSubscription,
  state: Subscription,
): Decision<SubscriptionEvent, Unknown | 'invalid_subscription_state' | 'resumes_at_past'> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  if (state.status !== 'Active' && state.status !== 'PastDue') return wrongState(state);
  if (resumes_at !== null && resumes_at <= now) return refuse('resumes_at_past', { resumes_at });
  const data = { paused_at: now, resumes_at };
  return taken(happened(begin(state), { type: 'SubscriptionPaused', data }));
}

function resumeSubscription(
  { now }: ResumeSubscription,
  state: Subscription,
): Decision<SubscriptionEvent, Unknown | 'invalid_subscription_state'> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  if (state.status !== 'Paused') return wrongState(state);
  return taken(resumed(begin(state), now));
}

function cancelSubscription(
  { cancel_at_period_end, cancellation_reason, now }: CancelSubscription,
  state: Subscription,
): Decision<
  SubscriptionEvent,
  Unknown | 'subscription_already_cancelled' | 'invalid_subscription_state'
> {
  if (state.status === 'unknown') return refuse('subscription_unknown');
  if (state.status === 'Cancelled') return refuse('subscription_already_cancelled');
  if (state.status === 'Expired') return wrongState(state);
  // The end of a paused one is still to be moved.
  const is_ahead = state.status === 'Paused' || now < state.calendar.end;
  if (!cancel_at_period_end || !is_ahead) {
    return taken(cancelled(begin(state), cancellation_reason, now));
  }
  if (state.ends_with_period !== null) return accept<SubscriptionEvent>();
  const data = { cancellation_reason, requested_at: now };
  return taken(happened(begin(state), { type: 'SubscriptionCancelRequested', data }));
}
