import { CURRENCIES, MODES, type Currency, type Mode } from '@tender/kernel';
import { IsBoolean, IsIn, IsNumber, IsOptional, IsString, MaxLength } from 'class-validator';
import { LOCALES, type Locale } from './locales';
import { prefixedIds } from './object-ids';
import { IsOwnData } from './payment-terms';
import { CreatePaymentAnswer } from './payments';
import { planIds } from './plan-ids';
import { route } from './route';
import { SubscriptionSnapshot } from './subscriptions.facts';
import {
  Describe,
  IsBase58Address,
  IsEmailAddress,
  IsIdOf,
  IsMetadata,
  IsName,
  IsTime,
  IsZonedTime,
  OrNull,
} from './validation';

const ID_CHARACTERS_MAX = 100;
const REASON_CHARACTERS_MAX = 500;
const NAME_CHARACTERS_MAX = 200;
const SIGNATURE_CHARACTERS_MAX = 128;

export const subscriptionIds = prefixedIds('sub', 'first id');

export class CreateSubscriptionBody {
  @IsString() @MaxLength(ID_CHARACTERS_MAX) plan_id!: string;

  @Describe('Of the customer: it alone can cancel without a key.') @IsBase58Address()
  customer_wallet!: string;

  @Describe('To write to the customer; without a key not before the first payment.')
  @IsOptional()
  @IsEmailAddress()
  customer_email?: string;

  @Describe('As the customer is written to; only with `customer_email`.')
  @IsOptional()
  @IsName(NAME_CHARACTERS_MAX)
  customer_name?: string;

  @IsOwnData()
  metadata?: Record<string, unknown>;

  @Describe('In what language the customer is written to; `en` unless told.')
  @IsOptional()
  @IsIn(LOCALES)
  locale?: Locale;
}

export class SubscriptionAnswer extends SubscriptionSnapshot {
  @Describe('Where the current period is paid; null while nothing is to be paid, as in a trial, or its next link is still to come.')
  @OrNull()
  @IsString()
  payment_url!: string | null;
  @IsString() merchant_id!: string;
  @Describe('Of one period, in `currency`.') @IsNumber() amount!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @Describe('It ends with the current period.') @IsBoolean() cancel_at_period_end!: boolean;
  @OrNull() @IsString() cancellation_reason!: string | null;
  @OrNull() @IsTime() cancelled_at!: string | null;
  @OrNull() @IsTime() paused_at!: string | null;
  @Describe('Null: until the merchant resumes it.') @OrNull() @IsTime() resumes_at!: string | null;
  @IsIn(LOCALES) locale!: Locale;
  @IsIn(MODES) mode!: Mode;
  @IsTime() updated_at!: string;
  @Describe('Only for the merchant; null where none is known.')
  @IsOptional()
  @OrNull()
  @IsString()
  customer_email?: string | null;
  @Describe('Only for the merchant; null where none is known.')
  @IsOptional()
  @OrNull()
  @IsString()
  customer_name?: string | null;
  @Describe('Only for the merchant.') @IsOptional() @IsMetadata() metadata?: object;
}

export class SubscriptionPaymentAnswer extends CreatePaymentAnswer {
  @IsIdOf(subscriptionIds) subscription_id!: string;
  @Describe('Of the period that is paid.') @IsTime() period_start!: string;
  @IsTime() period_end!: string;
}

export class CancelSubscriptionBody {
  @Describe('At the end of the period or trial; at once unless told.', false)
  @IsOptional()
  @IsBoolean()
  cancel_at_period_end?: boolean;

  @IsOptional() @IsString() @MaxLength(REASON_CHARACTERS_MAX) cancellation_reason?: string;

  @Describe('Without a key: the wallet of the subscription.')
  @IsOptional()
  @IsBase58Address()
  customer_wallet?: string;

  @Describe('Without a key in live mode: its Ed25519 signature over `cancel:<id>`, base58.')
  @IsOptional()
  @IsString()
  @MaxLength(SIGNATURE_CHARACTERS_MAX)
  wallet_signature?: string;
}

export class PauseSubscriptionBody {
  @Describe('Without it, when the merchant resumes it.') @IsOptional() @IsZonedTime()
  resumes_at?: string;
}

const subscriptions = { context: 'billing', tag: 'Subscriptions', limit: 'other' } as const;
const named = { objects: { id: subscriptionIds }, not_found: 'subscription_not_found' } as const;
const PATH = '/api/v1/subscriptions';

export const createSubscription = route({
  ...subscriptions,
  id: 'createSubscription',
  method: 'POST',
  path: PATH,
  auth: 'key_or_nobody',
  body_object: { field: 'plan_id', kind: planIds },
  not_found: 'plan_not_found',
  idempotent: true,
  body: CreateSubscriptionBody,
  answers: { 201: SubscriptionAnswer },
  refusals: ['plan_not_found', 'plan_inactive', 'wallet_not_ready', 'service_unavailable'],
  summary: 'Subscribe a wallet to a plan; a key is not needed',
});

export const getSubscription = route({
  ...subscriptions,
  ...named,
  id: 'getSubscription',
  method: 'GET',
  path: `${PATH}/{id}`,
  auth: 'key_or_nobody',
  limit: 'read',
  idempotent: false,
  answers: { 200: SubscriptionAnswer },
  refusals: ['subscription_not_found'],
  summary: 'One subscription; a key is not needed',
});

export const paySubscription = route({
  ...subscriptions,
  ...named,
  id: 'paySubscription',
  method: 'POST',
  path: `${PATH}/{id}/pay`,
  auth: 'key_or_nobody',
  idempotent: true,
  answers: { 201: SubscriptionPaymentAnswer },
  refusals: [
    'payment_blocked',
    'subscription_not_found',
    'payment_not_due',
    'subscription_already_cancelled',
    'invalid_subscription_state',
    'wallet_not_ready',
    'amount_too_large',
    'too_many_open_payments',
    'service_unavailable',
  ],
  summary: 'The payment of the current period: the open one, or a new one; a key is not needed',
});

export const cancelSubscription = route({
  ...subscriptions,
  ...named,
  id: 'cancelSubscription',
  method: 'POST',
  path: `${PATH}/{id}/cancel`,
  auth: 'key_or_nobody',
  idempotent: true,
  body: CancelSubscriptionBody,
  body_optional: true,
  answers: { 200: SubscriptionAnswer },
  refusals: [
    'forbidden',
    'subscription_not_found',
    'subscription_already_cancelled',
    'invalid_subscription_state',
  ],
  summary: 'Cancel a subscription, at once or with its period; without a key only its wallet can',
});

export const pauseSubscription = route({
  ...subscriptions,
  ...named,
  id: 'pauseSubscription',
  method: 'POST',
  path: `${PATH}/{id}/pause`,
  auth: 'key',
  idempotent: true,
  body: PauseSubscriptionBody,
  body_optional: true,
  answers: { 200: SubscriptionAnswer },
  refusals: ['subscription_not_found', 'invalid_subscription_state'],
  summary: 'Charge nothing for a while; the period ends later by the time paused',
});

export const resumeSubscription = route({
  ...subscriptions,
  ...named,
  id: 'resumeSubscription',
  method: 'POST',
  path: `${PATH}/{id}/resume`,
  auth: 'key',
  idempotent: true,
  answers: { 200: SubscriptionAnswer },
  refusals: ['subscription_not_found', 'invalid_subscription_state'],
  summary: 'Go on with a paused subscription',
});

export const subscriptionsRoutes = [
  createSubscription,
  getSubscription,
  paySubscription,
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
] as const;
