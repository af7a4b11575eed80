import type { AgreedPlan, SubscriptionTerms } from '../subscription';
import type {
  AdvanceSubscription,
  CancelSubscription,
  CreateSubscription,
  PauseSubscription,
  ResumeSubscription,
} from '../decide-subscription';
import type {
  FailSubscriptionCharge,
  PayPeriod,
  RecordSubscriptionCharge,
  RequestPeriodPayment,
} from '../charge-subscription';
import type { OpenedCharge } from '../charge';

export const BEGAN = '2026-01-31T12:00:00.000Z';
export const MONTHLY: AgreedPlan = {
  plan_id: 'plan_test_0000000000000000000007',
  plan_name: 'Gold',
  amount_minor: '2999',
  currency: 'USD',
  billing_interval: 'monthly',
  interval_count: 1,
  trial_days: 0,
  max_cycles: null,
};
const terms: Omit<SubscriptionTerms, 'trial_end'> = {
  subscription_id: 'sub_test_0000000000000000000007',
  merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
  mode: 'test',
  plan: MONTHLY,
  customer_wallet: 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd',
  metadata: { seat: 3 },
  locale: 'en',
  made_by: 'merchant',
  created_at: BEGAN,
};
export const OPENED: OpenedCharge = {
  payment_link_id: '00112233-4455-8677-8899-aabbccddeefe',
  payment_id: 'pay_test_0000000000000000000042',
  payment_url: 'http://localhost:8080/l/t0000000000000000000042',
};

export const create = (plan: Partial<AgreedPlan> = {}, created_at = BEGAN): CreateSubscription => ({
  type: 'CreateSubscription',
  terms: { ...terms, plan: { ...MONTHLY, ...plan }, created_at },
  customer: { subject_id: 'subject-7', email_sealed: 'sealed' },
  plan_is_active: true,
});
export const advance = (due_at: string, now = due_at): AdvanceSubscription => ({
  ...{ type: 'AdvanceSubscription', due_at, now },
});
export const record = (charge_number: number, opened = OPENED): RecordSubscriptionCharge => ({
  ...{ type: 'RecordSubscriptionCharge', charge_number, opened },
});
export const fail = (charge_number: number, now: string): FailSubscriptionCharge => ({
  ...{ type: 'FailSubscriptionCharge', charge_number, now },
});
export const request = (now: string): RequestPeriodPayment => ({ type: 'RequestPeriodPayment', now });
export const pay = (
  period_number: number,
  now: string,
  payment_id = 'pay_test_1',
  paid_at = now,
): PayPeriod => ({
  ...{ type: 'PayPeriod', period_number, paid_by: { payment_id, paid_at }, now },
});
export const pause = (now: string, resumes_at: string | null = null): PauseSubscription => ({
  ...{ type: 'PauseSubscription', now, resumes_at },
});
export const resume = (now: string): ResumeSubscription => ({ type: 'ResumeSubscription', now });
export const cancel = (now: string, cancel_at_period_end = false): CancelSubscription => ({
  ...{ type: 'CancelSubscription', now, cancel_at_period_end, cancellation_reason: 'too dear' },
});
