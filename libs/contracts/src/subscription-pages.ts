import { call, commandCall, type Currency, type Mode, type Token } from '@tender/kernel';
import type { BillingInterval } from './billing.facts';
import type { Admitted } from './checkout-pages';
import { FORM_ROUTE, PAGE_ROUTE } from './page-route';
import { planIds } from './plan-ids';
import { route } from './route';
import { subscriptionIds, type CreateSubscriptionBody } from './subscriptions';
import type { SubscriptionStatusName } from './subscriptions.facts';

/** A subscription as its page shows it to customers, who have its address. */
export interface SubscriptionToShow {
  readonly subscription_id: string;
  readonly status: SubscriptionStatusName;
  readonly customer_wallet: string;
  /** Its current period can be paid now. */
  readonly is_due: boolean;
  readonly cycles_completed: number;
  readonly current_period_end: string;
  /** When it is charged next; null when it will not be. */
  readonly next_payment_attempt: string | null;
  /** Of a paused one; null: when its merchant says so. */
  readonly resumes_at: string | null;
}

/** What the page of a plan shows, and the page of one of its subscriptions. */
export interface PlanToShow {
  readonly kind: 'plan';
  readonly plan_id: string;
  readonly merchant_name: string;
  readonly support_email: string;
  readonly mode: Mode;
  readonly name: string;
  readonly description: string | null;
  /** Of one period, in `currency`. */
  readonly amount: number;
  readonly currency: Currency;
  readonly token: Token;
  readonly billing_interval: BillingInterval;
  readonly interval_count: number;
  readonly trial_days: number;
  /** Of a wallet that subscribes now. */
  readonly first_charge_at: string;
  readonly max_cycles: number | null;
  /** It takes new subscriptions. */
  readonly is_active: boolean;
  readonly subscription_url: string;
  readonly subscription: SubscriptionToShow | null;
}

/** billing: what the page of a plan shows, or that of a subscription to it; null when there is no such one. */
export const showPlan = call<
  { readonly plan_id: string; readonly subscription_id: string | null },
  PlanToShow | null
>('billing.show-plan');

/** billing: the subscription of a customer, as `POST /subscriptions` makes it. Refuses by its codes. */
export const subscribeToPlan = commandCall<
  Admitted & { readonly wanted: CreateSubscriptionBody },
  { readonly subscription_id: string },
  string
>('billing.subscribe-to-plan', { deadline_ms: 5_000, answered_by: 'any' });

/**
 * billing: the payment of the current period, as `POST /subscriptions/{id}/pay` answers it; it knows its customer
 * where the subscription does. Refuses by its codes.
 */
export const payPeriod = commandCall<
  Admitted & { readonly subscription_id: string },
  { readonly payment_id: string },
  string
>('billing.pay-period', { deadline_ms: 5_000, answered_by: 'any' });

const PLAN = '/s/{plan_id}';
const SUBSCRIPTION = `${PLAN}/{subscription_id}` as const;

export const readPlanPage = route({
  ...PAGE_ROUTE,
  id: 'readPlanPage',
  path: PLAN,
  summary: 'The page on which a customer subscribes a wallet to a plan; it stores nothing',
});

export const readSubscriptionPage = route({
  ...PAGE_ROUTE,
  id: 'readSubscriptionPage',
  path: SUBSCRIPTION,
  summary: 'How a subscription is, and where its current period is paid; it stores nothing',
});

export const subscribeByForm = route({
  ...FORM_ROUTE,
  id: 'subscribeByForm',
  path: PLAN,
  objects: { plan_id: planIds },
  refusals: ['plan_inactive', 'wallet_not_ready'],
  summary: 'Subscribe a wallet to a plan; leads to the page of the subscription',
});

export const payPeriodByForm = route({
  ...FORM_ROUTE,
  id: 'payPeriodByForm',
  path: SUBSCRIPTION,
  objects: { plan_id: planIds, subscription_id: subscriptionIds },
  refusals: ['payment_blocked', 'wallet_not_ready', 'amount_too_large', 'too_many_open_payments'],
  summary: 'Begin the payment of the current period; leads to its page',
});

export const subscriptionPagesRoutes = [
  readPlanPage,
  readSubscriptionPage,
  subscribeByForm,
  payPeriodByForm,
] as const;
