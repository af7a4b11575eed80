import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { MODES, type Mode } from '@tender/kernel';
import { INSTALLMENT_PLAN_STATUSES, type InstallmentPlanStatus } from './installment-plans.facts';
import { LOCALES, type Locale } from './locales';
import { LongListQuery } from './long-lists';
import { prefixedIds } from './object-ids';
import { paymentIds } from './payment-ids';
import { IsOwnData, IsShownText } from './payment-terms';
import { route } from './route';
import {
  Describe,
  IsBase58Address,
  IsEmailAddress,
  IsIdOf,
  IsMetadata,
  IsTime,
  IsUsdAmount,
  IsZonedTime,
  OrNull,
} from './validation';

/** A year, even one with a leap day: no plan is longer than a quarter of a century. */
const DAYS_MAX = 366;

export const INSTALLMENT_STATUSES = ['pending', 'late', 'paid', 'voided'] as const;
export type InstallmentStatus = (typeof INSTALLMENT_STATUSES)[number];

export const installmentPlanIds = prefixedIds('inst', 'first id');

export class CreateInstallmentPlanBody {
  @Describe('Of the customer who is to pay.') @IsBase58Address() customer_wallet!: string;

  @Describe('Reminders go there; without it the customer is sent none.', 'ada@example.com')
  @IsOptional()
  @IsEmailAddress()
  customer_email?: string;

  @Describe('USD in all: above 0, with at most 2 decimals.', 300)
  @IsUsdAmount()
  total_amount!: number;

  @Describe('Into how many payments the total is divided.', 3)
  @IsInt()
  @Min(2)
  @Max(24)
  installment_count!: number;

  @Describe('From one due date to the next.', 30)
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  payment_frequency_days!: number;

  @Describe('When the first one is due, within ten years; a day after creation unless told.')
  @IsOptional()
  @IsZonedTime()
  first_payment_date?: string;

  @IsShownText('A bicycle')
  description?: string;

  @Describe('USD, added once to each installment that is late; none unless told.', 5)
  @IsOptional()
  @IsUsdAmount()
  late_fee_amount?: number;

  @Describe('Days after a due date until the plan defaults; 7 unless told.', 7)
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(DAYS_MAX)
  grace_period_days?: number;

  @IsOwnData()
  metadata?: Record<string, unknown>;

  @Describe('In which language the customer is written to; `en` unless told.')
  @IsOptional() @IsIn(LOCALES) locale?: Locale;
}

export class InstallmentAnswer {
  @Describe('From 1 on.') @IsInt() installment_number!: number;
  @IsTime() due_date!: string;
  @Describe('USD; once it is late with the late fee.') @IsNumber() amount!: number;
  @Describe('`late`: a day after its due date. `voided`: the plan was cancelled before it was paid.')
  @IsIn(INSTALLMENT_STATUSES)
  status!: InstallmentStatus;
  @Describe('Null until a payment exists.') @OrNull() @IsIdOf(paymentIds) payment_id!: string | null;
  @Describe('Where it is paid; null before.') @OrNull() @IsString() payment_url!: string | null;
  @OrNull() @IsTime() paid_at!: string | null;
}

export class InstallmentPlanAnswer {
  @IsIdOf(installmentPlanIds) id!: string;
  @Describe('The same as `id`.') @IsIdOf(installmentPlanIds) plan_id!: string;
  @IsString() merchant_id!: string;
  @IsString() customer_wallet!: string;
  @OrNull() @IsString() customer_email!: string | null;
  @Describe('USD.') @IsNumber() total_amount!: number;
  @IsInt() installment_count!: number;
  @Describe('The total divided by the count, in whole cents; the last one has the remainder, too.')
  @IsNumber()
  amount_per_installment!: number;
  @IsInt() payment_frequency_days!: number;
  @IsTime() first_payment_date!: string;
  @IsInt() paid_count!: number;
  @IsIn(INSTALLMENT_PLAN_STATUSES) status!: InstallmentPlanStatus;
  @OrNull() @IsString() description!: string | null;
  @OrNull() @IsNumber() late_fee_amount!: number | null;
  @IsInt() grace_period_days!: number;
  @ValidateNested({ each: true })
  @Type(() => InstallmentAnswer)
  payment_schedule!: InstallmentAnswer[];
  @IsMetadata() metadata!: object;
  @IsIn(LOCALES) locale!: Locale;
  @IsIn(MODES) mode!: Mode;
  @IsTime() created_at!: string;
  @IsTime() updated_at!: string;
  @OrNull() @IsTime() completed_at!: string | null;
  @OrNull() @IsTime() defaulted_at!: string | null;
  @OrNull() @IsTime() cancelled_at!: string | null;
}

export class CancelInstallmentPlanAnswer extends InstallmentPlanAnswer {
  @Describe('A sentence for a person.') @IsString() message!: string;
}

export class PayInstallmentAnswer {
  @IsIdOf(paymentIds) payment_id!: string;
  @Describe('Where the customer pays.') @IsString() payment_url!: string;
  @IsIdOf(installmentPlanIds) installment_plan_id!: string;
  @IsInt() installment_number!: number;
  @Describe('USD; once it is late with the late fee.') @IsNumber() amount!: number;
  @Describe('Until when it can be paid as it is now.') @IsTime() expires_at!: string;
}

export class ListInstallmentPlansQuery extends LongListQuery {}

const plans = { context: 'billing', auth: 'key', tag: 'Installment plans' } as const;
const reading = { ...plans, method: 'GET', limit: 'read', idempotent: false } as const;
const posting = { ...plans, method: 'POST', limit: 'other', idempotent: true } as const;
const named = { objects: { id: installmentPlanIds } } as const;

export const createInstallmentPlan = route({
  ...posting,
  id: 'createInstallmentPlan',
  path: '/api/v1/installment-plans',
  body: CreateInstallmentPlanBody,
  answers: { 201: InstallmentPlanAnswer },
  refusals: ['wallet_not_ready', 'amount_too_large', 'validation_failed'],
  summary: 'Divide a total into installments',
});

export const listInstallmentPlans = route({
  ...reading,
  id: 'listInstallmentPlans',
  path: '/api/v1/installment-plans',
  query: ListInstallmentPlansQuery,
  answers: { 200: [InstallmentPlanAnswer] },
  refusals: [],
  summary: 'The merchant’s installment plans, newest first',
});

export const listCustomerInstallmentPlans = route({
  ...reading,
  id: 'listCustomerInstallmentPlans',
  path: '/api/v1/customers/{customer_wallet}/installment-plans',
  addresses: ['customer_wallet'],
  query: ListInstallmentPlansQuery,
  answers: { 200: [InstallmentPlanAnswer] },
  refusals: [],
  summary: 'The merchant’s installment plans of one wallet, newest first',
});

export const getInstallmentPlan = route({
  ...reading,
  ...named,
  id: 'getInstallmentPlan',
  path: '/api/v1/installment-plans/{id}',
  answers: { 200: InstallmentPlanAnswer },
  refusals: ['not_found'],
  summary: 'One installment plan with its schedule',
});

export const getNextInstallment = route({
  ...reading,
  ...named,
  id: 'getNextInstallment',
  path: '/api/v1/installment-plans/{id}/next-due',
  answers: { 200: InstallmentAnswer },
  refusals: ['not_found', 'no_installment_due'],
  summary: 'The installment that is to be paid next',
});

export const payNextInstallment = route({
  ...posting,
  ...named,
  id: 'payNextInstallment',
  path: '/api/v1/installment-plans/{id}/pay',
  answers: { 201: PayInstallmentAnswer },
  refusals: [
    'not_found',
    'no_installment_due',
    'plan_not_active',
    'wallet_not_ready',
    'payment_blocked',
    'amount_too_large',
    'invalid_payment_state',
    'service_unavailable',
  ],
  summary: 'The payment of the installment that is to be paid next; the same one while it is open',
});

export const cancelInstallmentPlan = route({
  ...posting,
  ...named,
  id: 'cancelInstallmentPlan',
  path: '/api/v1/installment-plans/{id}/cancel',
  answers: { 200: CancelInstallmentPlanAnswer },
  refusals: ['not_found', 'plan_not_active'],
  summary: 'Cancel an active installment plan: what is unpaid is voided, what was paid stays paid',
});

export const installmentPlansRoutes = [
  createInstallmentPlan,
  listInstallmentPlans,
  listCustomerInstallmentPlans,
  getInstallmentPlan,
  getNextInstallment,
  payNextInstallment,
  cancelInstallmentPlan,
] as const;
