import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';
import { CURRENCIES, MODES, type Currency, type Mode } from '@tender/kernel';
import { fact } from './fact';
import { Describe, IsMetadata, IsTime, OrNull } from './validation';

export const INTENT_STATUSES = [
  'requires_payment',
  'processing',
  'succeeded',
  'canceled',
  'failed',
  'expired',
] as const;
export type PaymentIntentStatus = (typeof INTENT_STATUSES)[number];

export const CAPTURE_METHODS = ['automatic', 'manual'] as const;
export type CaptureMethod = (typeof CAPTURE_METHODS)[number];

export const PAYMENT_TYPES = ['direct', 'gasless'] as const;
export type PaymentType = (typeof PAYMENT_TYPES)[number];

export const INTENT_FAILURES = ['expired', 'payment_expired', 'payment_failed'] as const;
export type IntentFailure = (typeof INTENT_FAILURES)[number];

/**
 * The intent in facts and in webhooks, and the base of answers to clients. It has no place for the client secret.
 * Topics hold records of every release: a field that is added here is optional.
 */
export class PaymentIntentSnapshot {
  @IsString() id!: string;
  @IsString() merchant_id!: string;
  @Describe('In `currency`.') @IsNumber() amount!: number;
  @IsIn(CURRENCIES) currency!: Currency;
  @OrNull() @IsString() description!: string | null;
  @IsIn(INTENT_STATUSES) status!: PaymentIntentStatus;
  @IsIn(CAPTURE_METHODS) capture_method!: CaptureMethod;
  @Describe('Its one payment; null until it is confirmed.')
  @OrNull()
  @IsString()
  payment_id!: string | null;
  @OrNull() @IsString() payment_url!: string | null;
  @Describe('That it was confirmed for.') @OrNull() @IsString() customer_wallet!: string | null;
  @OrNull() @IsIn(PAYMENT_TYPES) payment_type!: PaymentType | null;
  @OrNull() @IsString() transaction_signature!: string | null;
  @Describe('`expired`: it was not confirmed in time. The others: what became of its payment.')
  @OrNull()
  @IsIn(INTENT_FAILURES)
  failure_reason!: IntentFailure | null;
  @IsMetadata() metadata!: object;
  @IsIn(MODES) mode!: Mode;
  @IsTime() created_at!: string;
  @Describe('Unless it is confirmed before.') @IsTime() expires_at!: string;
  @Describe('Its money is held: until then it can be captured. Null while no money is held.')
  @IsOptional()
  @OrNull()
  @IsTime()
  capture_before?: string | null;
}

export class PaymentIntentFact {
  @ValidateNested() @Type(() => PaymentIntentSnapshot) payment_intent!: PaymentIntentSnapshot;
}

/** Each shows the intent as it is right after the event. */
function intentFact<const Type extends string, const Name extends string>(type: Type, name: Name) {
  return fact(type, {
    data: PaymentIntentFact,
    webhook: {
      name,
      fills: { payment_intent: [PaymentIntentSnapshot, ({ payment_intent }) => payment_intent] },
      resource: ({ payment_intent: { id, merchant_id, payment_id } }) => ({
        resource_id: id,
        merchant_id,
        payment_id,
        webhook_url: null,
      }),
    },
  });
}

export const paymentIntentCreated = intentFact(
  'payments.payment-intent-created.v1',
  'PaymentIntentCreated',
);
export const paymentIntentRequiresPayment = intentFact(
  'payments.payment-intent-requires-payment.v1',
  'PaymentIntentRequiresPayment',
);
export const paymentIntentSucceeded = intentFact(
  'payments.payment-intent-succeeded.v1',
  'PaymentIntentSucceeded',
);
export const paymentIntentCanceled = intentFact(
  'payments.payment-intent-canceled.v1',
  'PaymentIntentCanceled',
);
export const paymentIntentFailed = intentFact(
  'payments.payment-intent-failed.v1',
  'PaymentIntentFailed',
);

/** An intent, and its one payment. */
export class PaymentIntentConfirmedFact {
  @IsString() payment_intent_id!: string;
  @IsString() payment_id!: string;
}

/** Its payment is made next. */
export const paymentIntentConfirmed = fact('payments.payment-intent-confirmed.v1', {
  data: PaymentIntentConfirmedFact,
});

/** The merchant wants the held money of its payment: that is settled next. */
export const paymentIntentCaptured = fact('payments.payment-intent-captured.v1', {
  data: PaymentIntentConfirmedFact,
});

export const paymentIntentsFacts = [
  paymentIntentCreated,
  paymentIntentRequiresPayment,
  paymentIntentConfirmed,
  paymentIntentCaptured,
  paymentIntentSucceeded,
  paymentIntentCanceled,
  paymentIntentFailed,
] as const;
