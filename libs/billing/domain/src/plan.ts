import type { Currency, Mode } from '@tender/kernel';
import type { BillingRhythm } from './calendar';

/** What a plan is about: fixed when it is created. */
export interface PlanTerms extends BillingRhythm {
  readonly plan_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly name: string;
  readonly description: string | null;
  /** Of one period, minor units of `currency`. */
  readonly amount_minor: string;
  readonly currency: Currency;
  /** 0: the first period is charged at once. */
  readonly trial_days: number;
  /** Periods that are paid in all; null: without end. */
  readonly max_cycles: number | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly subscription_url: string;
  /** ISO 8601 with milliseconds, UTC. */
  readonly created_at: string;
}

export interface PlanCreated {
  readonly type: 'PlanCreated';
  readonly data: { readonly terms: PlanTerms };
}
/** It takes no new subscriptions; old ones go on. */
export interface PlanDeactivated {
  readonly type: 'PlanDeactivated';
  readonly data: { readonly terms: PlanTerms; readonly deactivated_at: string };
}
export interface PlanActivated {
  readonly type: 'PlanActivated';
  readonly data: { readonly terms: PlanTerms; readonly activated_at: string };
}
export type PlanEvent = PlanCreated | PlanDeactivated | PlanActivated;

export interface KnownPlan {
  readonly status: 'active' | 'inactive';
  readonly terms: PlanTerms;
  readonly updated_at: string;
}
export type Plan = { readonly status: 'unknown' } | KnownPlan;

export const UNKNOWN_PLAN: Plan = { status: 'unknown' };

/** The fold: of the decider, of the row and of a GET by id alike. */
export function evolvePlan(state: Plan, event: PlanEvent): Plan {
  if (event.type === 'PlanCreated') {
    const { terms } = event.data;
    return { status: 'active', terms, updated_at: terms.created_at };
  }
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'PlanDeactivated':
      return { ...state, status: 'inactive', updated_at: event.data.deactivated_at };
    case 'PlanActivated':
      return { ...state, status: 'active', updated_at: event.data.activated_at };
    default:
      return state;
  }
}
