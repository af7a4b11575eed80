import { accept, refuse, type Decider, type Decision } from '@tender/kernel';
import { aboveMaximum } from './amount-max';
import { evolvePlan, UNKNOWN_PLAN, type Plan, type PlanEvent, type PlanTerms } from './plan';

export interface CreatePlan {
  readonly type: 'CreatePlan';
  readonly terms: PlanTerms;
  /** What the merchant may ask for at most, cents. */
  readonly amount_max: bigint;
}
export interface DeactivatePlan {
  readonly type: 'DeactivatePlan';
  /** ISO 8601, business time. */
  readonly now: string;
}
export interface ActivatePlan {
  readonly type: 'ActivatePlan';
  readonly now: string;
}

/** What happens to a subscription plan. What it asks for never changes: customers have agreed to it. */
export const planDecider = {
  initial: UNKNOWN_PLAN,
  evolve: evolvePlan,
  decide: { CreatePlan: createPlan, DeactivatePlan: deactivatePlan, ActivatePlan: activatePlan },
} satisfies Decider<Plan, PlanEvent>;

const accepted = (...events: readonly PlanEvent[]) => accept<PlanEvent>(...events);

function createPlan(
  { terms, amount_max }: CreatePlan,
  state: Plan,
): Decision<PlanEvent, 'plan_exists' | 'amount_too_large'> {
  if (state.status !== 'unknown') return refuse('plan_exists');
  const refused = aboveMaximum(BigInt(terms.amount_minor), amount_max);
  return refused ?? accepted({ type: 'PlanCreated', data: { terms } });
}

function deactivatePlan(
  { now }: DeactivatePlan,
  state: Plan,
): Decision<PlanEvent, 'plan_unknown'> {
  if (state.status === 'unknown') return refuse('plan_unknown');
  if (state.status === 'inactive') return accepted();
  const { terms } = state;
  return accepted({ type: 'PlanDeactivated', data: { terms, deactivated_at: now } });
}

function activatePlan({ now }: ActivatePlan, state: Plan): Decision<PlanEvent, 'plan_unknown'> {
  if (state.status === 'unknown') return refuse('plan_unknown');
  if (state.status === 'active') return accepted();
  const { terms } = state;
  return accepted({ type: 'PlanActivated', data: { terms, activated_at: now } });
}
