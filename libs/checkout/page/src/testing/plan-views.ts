import type { PlanToShow, SubscriptionToShow } from '@tender/contracts';
import { planView, type PlanChanges, type PlanView } from '../plan/plan-view';

const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';

export const PLAN: PlanToShow = {
  kind: 'plan',
  plan_id: 'plan_test_2G07CmNoapiczVxS8gXbNH',
  merchant_name: 'Corner Coffee',
  support_email: 'help@corner.example',
  mode: 'test',
  name: 'Beans, monthly',
  description: 'A bag of beans each month',
  ...{ amount: 9.5, currency: 'USD', token: 'USDC' },
  ...{ billing_interval: 'monthly', interval_count: 1, trial_days: 0, max_cycles: null },
  first_charge_at: '2026-03-02T10:00:00.000Z',
  is_active: true,
  subscription_url: 'https://pay.example/s/plan_test_2G07CmNoapiczVxS8gXbNH',
  subscription: null,
};

const SUBSCRIPTION: SubscriptionToShow = {
  subscription_id: 'sub_test_11R0lrQrMbc1ysgvDodOvI',
  status: 'Active',
  customer_wallet: WALLET,
  is_due: false,
  cycles_completed: 1,
  current_period_end: '2026-04-02T10:00:00.000Z',
  next_payment_attempt: '2026-04-02T10:00:00.000Z',
  resumes_at: null,
};

/** A page of a plan with these terms, and what came of a press on it. */
export const atPlan = (terms: Partial<PlanToShow> = {}, changes: PlanChanges = {}): PlanView =>
  planView({ shown: { ...PLAN, ...terms }, language: 'en', now: NOW }, { attempt: 'a'.repeat(32), ...changes });

/** A page of a subscription that is so. */
export const atSubscription = (
  how: Partial<SubscriptionToShow>,
  changes: PlanChanges = {},
): PlanView => atPlan({ subscription: { ...SUBSCRIPTION, ...how } }, changes);

const TRIAL = {
  ...{ trial_days: 14, max_cycles: 12, first_charge_at: '2026-03-16T10:00:00.000Z' },
} as const;
const LAST = { next_payment_attempt: null };
const ENDS = '2026-03-16T10:00:00.000Z';
const typed = { customer_wallet: 'not a wallet', customer_email: 'ada@example' };
const soon = { interruption: { state: 'busy', retry_at: NOW + 8_000 } } as const;
const fault = { fault: { correlation_id: '0b7f3c1e-8a44-4a63-9f0e-1f6d9a1f8c11' } };

/** Every screen of plans and subscriptions, as a customer may see it. */
export const PLAN_VIEWS: Readonly<Record<string, PlanView>> = {
  'plan': atPlan(),
  'plan with a trial': atPlan(TRIAL),
  'plan, mistyped': atPlan({}, { typed, malformed: ['customer_wallet', 'customer_email'] }),
  'plan closed': atPlan({ is_active: false }),
  'plan, busy': atPlan({}, { ...soon, typed: { customer_wallet: WALLET } }),
  'plan, error': atPlan({}, fault),
  'subscription, first payment due': atSubscription({ is_due: true, cycles_completed: 0 }),
  'subscription, past due': atSubscription({ is_due: true, status: 'PastDue' }),
  'subscription, busy': atSubscription({ is_due: true }, soon),
  'subscription, blocked': atSubscription(
    { is_due: true },
    { blocked: true, blocked_payment_id: 'pay_test_11R0lrQrMbc1ysgvDodOvI' },
  ),
  'subscription in trial': atSubscription({ status: 'Trialing', current_period_end: ENDS }),
  'subscription in trial, cancelled': atSubscription({ status: 'Trialing', current_period_end: ENDS, ...LAST }),
  'subscription, paid': atSubscription({}),
  'subscription, last period': atSubscription(LAST),
  'subscription, paused': atSubscription({ status: 'Paused', resumes_at: '2026-06-01T00:00:00.000Z' }),
  'subscription, ended': atSubscription({ status: 'Cancelled', ...LAST }),
};

export const planInLanguage = (view: PlanView, language: 'en' | 'fr'): PlanView => ({
  ...view,
  page: { ...view.page, language },
});
