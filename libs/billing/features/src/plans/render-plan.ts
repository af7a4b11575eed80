import type { KnownPlan } from '@tender/billing-domain';
import type { PlanAnswer, PlanSnapshot } from '@tender/contracts';
import { fromUnits } from '@tender/kernel';

const CENT_PLACES = 2;

/** A plan as its merchant sees it, from a row, a stream or an event alike. */
export const renderPlan = ({ status, terms }: KnownPlan): Required<PlanSnapshot> => ({
  id: terms.plan_id,
  merchant_id: terms.merchant_id,
  name: terms.name,
  description: terms.description,
  amount: fromUnits(BigInt(terms.amount_minor), CENT_PLACES),
  currency: terms.currency,
  billing_interval: terms.billing_interval,
  interval_count: terms.interval_count,
  trial_days: terms.trial_days,
  max_cycles: terms.max_cycles,
  is_active: status === 'active',
  subscription_url: terms.subscription_url,
  metadata: terms.metadata,
  mode: terms.mode,
  created_at: terms.created_at,
});

/** The same for customers: the merchant’s own data is not theirs. */
export function renderPlanToCustomer(plan: KnownPlan): PlanAnswer {
  const { metadata: _, ...shown } = renderPlan(plan);
  return shown;
}
