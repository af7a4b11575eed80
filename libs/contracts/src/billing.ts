import { CURRENCIES, type Currency } from '@tender/kernel';
import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { BILLING_INTERVALS, PlanSnapshot, type BillingInterval } from './billing.facts';
import { installmentPlansRoutes } from './installment-plans';
import { invoicesRoutes } from './invoice-routes';
import { prefixedIds } from './object-ids';
import { route } from './route';
import { Describe, IsInAnyCase, IsMetadata, IsName, IsUsdAmount } from './validation';

/** A period of ten years at most, whatever its interval: times stay such that every calendar knows them. */
const INTERVAL_COUNT_MAX = 10;
const TRIAL_DAYS_MAX = 730;
const CYCLES_MAX = 10_000;

export class CreatePlanBody {
  @Describe('Shown to customers who subscribe.', 'Coffee, monthly')
  @IsName(200)
  name!: string;

  @Describe('Shown on checkout.', 'A bag of beans each month')
  @IsOptional()
  @IsString()
  @MaxLength(500)
  description?: string;

  @Describe('Of one period, in `currency`: above 0, with at most 2 decimals.', 9.5)
  @IsUsdAmount()
  amount!: number;

  @Describe('USD unless told; EUR and GBP are converted for each payment.')
  @IsOptional()
  @IsIn(CURRENCIES)
  currency?: Currency;

  @IsInAnyCase(BILLING_INTERVALS)
  billing_interval!: BillingInterval;

  @Describe('Intervals from one charge to the next; 1 unless told.')
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(INTERVAL_COUNT_MAX)
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

  @Describe('The merchant’s own data: at most 50 keys.')
  @IsOptional()
  @IsMetadata()
  metadata?: Record<string, unknown>;
}

/** What only answers have is declared here. */
export class PlanAnswer extends PlanSnapshot {}

export const planIds = prefixedIds('plan', 'first id');

const plans = { context: 'billing', tag: 'Subscription plans' } as const;

export const createPlan = route({
  ...plans,
  id: 'createPlan',
  method: 'POST',
  path: '/api/v1/subscription-plans',
  auth: 'key',
  limit: 'other',
  idempotent: true,
  body: CreatePlanBody,
  answers: { 201: PlanAnswer },
  refusals: ['amount_too_large'],
  summary: 'Create a subscription plan',
});

export const getPlan = route({
  ...plans,
  id: 'getPlan',
  method: 'GET',
  path: '/api/v1/subscription-plans/{id}',
  auth: 'key',
  limit: 'read',
  idempotent: false,
  objects: { id: planIds },
  answers: { 200: PlanAnswer },
  refusals: ['not_found'],
  summary: 'One subscription plan',
});

export const billingRoutes = [
  createPlan,
  getPlan,
  ...installmentPlansRoutes,
  ...invoicesRoutes,
] as const;
