import { type Currency } from '@tender/kernel';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { BILLING_INTERVALS, PlanSnapshot, type BillingInterval } from './billing.facts';
import { installmentPlansRoutes } from './installment-plans';
import { invoicesRoutes } from './invoice-routes';
import { IsCurrencyChoice, IsOwnData, IsShownText } from './payment-terms';
import { planIds } from './plan-ids';
import { route } from './route';
import { subscriptionsRoutes } from './subscriptions';
import { Describe, IsInAnyCase, IsMetadata, IsName, IsUsdAmount, PageQuery, without } from './validation';

/** A period of ten years at most, whatever its interval: times stay such that every calendar knows them. */
export const INTERVAL_COUNT_MAX = {
  ...{ daily: 3650, weekly: 520, monthly: 120, yearly: 10 },
} as const satisfies Readonly<Record<BillingInterval, number>>;
const TRIAL_DAYS_MAX = 730;
const CYCLES_MAX = 10_000;

export class CreatePlanBody {
  @Describe('Shown to customers who subscribe.', 'Coffee, monthly')
  @IsName(200)
  name!: string;

  @IsShownText('A bag of beans each month')
  description?: string;

  @Describe('Of one period, in `currency`: above 0, with at most 2 decimals.', 9.5)
  @IsUsdAmount()
  amount!: number;

  @IsCurrencyChoice('for each payment')
  currency?: Currency;

  @Describe('Required, by this name or as `interval`.', 'monthly')
  @IsOptional()
  @IsInAnyCase(BILLING_INTERVALS)
  billing_interval?: BillingInterval;

  @Describe('Another name of `billing_interval`.')
  @IsOptional()
  @IsInAnyCase(BILLING_INTERVALS)
  interval?: BillingInterval;

  @Describe(
    'Intervals from one charge to the next; 1 unless told. Ten years at most: 3650 days, 520 weeks, 120 months, 10 years.',
  )
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(INTERVAL_COUNT_MAX.daily)
  interval_count?: number;

  @Describe('Days before the first charge; 0 unless told.')
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(TRIAL_DAYS_MAX)
  trial_days?: number;

  @Describe('Periods that are paid in all; without it there is no end.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(CYCLES_MAX)
  max_cycles?: number;

  @IsOwnData()
  metadata?: Record<string, unknown>;
}

export class PlanAnswer extends without(PlanSnapshot, 'metadata') {
  @Describe('Only for the merchant.') @IsOptional() @IsMetadata() metadata?: object;
}

const plans = { context: 'billing', tag: 'Subscription plans' } as const;
const named = { objects: { id: planIds }, not_found: 'plan_not_found' } as const;

const creation = {
  ...plans,
  method: 'POST',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  body: CreatePlanBody,
  answers: { 201: PlanAnswer },
  refusals: ['amount_too_large'],
  summary: 'Create a subscription plan',
} as const;
const reading = {
  ...plans,
  ...named,
  method: 'GET',
  auth: 'key_or_nobody',
  limit: 'read',
  idempotent: false,
  answers: { 200: PlanAnswer },
  refusals: ['plan_not_found'],
  summary: 'One subscription plan; a key is not needed',
} as const;
const listed = {
  ...plans,
  method: 'GET',
  auth: 'key',
  limit: 'read',
  idempotent: false,
  query: PageQuery,
  answers: { 200: [PlanAnswer] },
  refusals: [],
  summary: 'The merchant’s subscription plans, newest first',
} as const;
const switching = {
  ...plans,
  ...named,
  method: 'POST',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  answers: { 200: PlanAnswer },
  refusals: ['plan_not_found'],
} as const;

const PATH = '/api/v1/subscription-plans';
const OTHER_PATH = '/api/v1/subscriptions/plans';

export const createPlan = route({ ...creation, id: 'createPlan', path: PATH });
export const createPlanToo = route({ ...creation, id: 'createPlanToo', path: OTHER_PATH });
export const getPlan = route({ ...reading, id: 'getPlan', path: `${PATH}/{id}` });
export const getPlanToo = route({ ...reading, id: 'getPlanToo', path: `${OTHER_PATH}/{id}` });

export const listPlans = route({ ...listed, id: 'listPlans', path: PATH });
export const listPlansToo = route({ ...listed, id: 'listPlansToo', path: OTHER_PATH });

export const deactivatePlan = route({
  ...switching,
  id: 'deactivatePlan',
  path: `${PATH}/{id}/deactivate`,
  summary: 'Let a plan take no new subscriptions; old ones go on',
});

export const activatePlan = route({
  ...switching,
  id: 'activatePlan',
  path: `${PATH}/{id}/activate`,
  summary: 'Let a plan take new subscriptions again',
});

export const billingRoutes = [
  ...[createPlan, createPlanToo, listPlans, listPlansToo, getPlan, getPlanToo],
  ...[deactivatePlan, activatePlan],
  ...subscriptionsRoutes,
  ...installmentPlansRoutes,
  ...invoicesRoutes,
] as const;
