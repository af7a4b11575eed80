import { CURRENCIES, MODES, type Currency, type Mode } from '@tender/kernel';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsNumber, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { installmentPlansFacts } from './installment-plans.facts';
import { invoicesFacts } from './invoices.facts';
import { mailFacts } from './mails.facts';
import { subscriptionsFacts } from './subscriptions.facts';
import { IsMetadata, IsTime, OrNull } from './validation';

export const BILLING_INTERVALS = ['daily', 'weekly', 'monthly', 'yearly'] as const;
export type BillingInterval = (typeof BILLING_INTERVALS)[number];

/**
 * A subscription plan as facts tell of it, and base of what clients are answered. Topics hold records of every
 * release: a field that is added here is optional; one that answers alone must have belongs in `PlanAnswer`.
 */
export class PlanSnapshot {
  @IsString() id!: string;
  @IsString() merchant_id!: string;
  @IsString() name!: string;
  @OrNull() @IsString() description!: string | null;
  @IsNumber() amount!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @IsIn(BILLING_INTERVALS) billing_interval!: BillingInterval;
  @IsInt() interval_count!: number;
  @IsInt() trial_days!: number;
  @OrNull() @IsInt() max_cycles!: number | null;
  @IsBoolean() is_active!: boolean;
  @IsString() subscription_url!: string;
  @IsMetadata() metadata!: object;
  @IsIn(MODES) mode!: Mode;
  @IsTime() created_at!: string;
}

/** The plan as it is right after the event. */
export class PlanFact {
  @ValidateNested()
  @Type(() => PlanSnapshot)
  plan!: PlanSnapshot;
}

export const planCreated = fact('billing.plan-created.v1', { data: PlanFact });

export const billingFacts = [
  planCreated,
  ...subscriptionsFacts,
  ...installmentPlansFacts,
  ...invoicesFacts,
  ...mailFacts,
] as const;
