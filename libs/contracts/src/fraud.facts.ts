import { Type } from 'class-transformer';
import { IsArray, IsBoolean, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { PaymentSnapshot, WebhookPayment } from './payments.facts';
import { Describe, OrNull } from './validation';

const SCORE_MAX = 100;

/** What fraud makes of a payment, as merchants hear of it. */
export class FraudSnapshot {
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @Describe('0 to 100.') @IsInt() @Min(0) @Max(SCORE_MAX) fraud_score!: number;
  @IsBoolean() blocked!: boolean;
  @Describe('Codes of the rules that weighed.') @IsArray() @IsString({ each: true }) flags!: string[];
}

/** The same in the form of the specification’s fraud page. */
export class FraudMetadata {
  @IsInt() @Min(0) @Max(SCORE_MAX) fraud_score!: number;
  @IsArray() @IsString({ each: true }) fraud_flags!: string[];
  @IsBoolean() fraud_review_required!: boolean;
}

export class FraudFact {
  @IsString() flag_id!: string;
  @ValidateNested() @Type(() => FraudSnapshot) fraud!: FraudSnapshot;
  @ValidateNested() @Type(() => FraudMetadata) metadata!: FraudMetadata;
  @Describe(
    'Null where the payment was blocked before it was stored, or was made before a new sanctions list named its wallet.',
  )
  @OrNull()
  @ValidateNested()
  @Type(() => PaymentSnapshot)
  payment!: PaymentSnapshot | null;
  @Describe('Takes the place of the merchant’s.')
  @OrNull()
  @IsString()
  webhook_url!: string | null;
}

function fraudFact<const Type extends string, const Name extends string>(type: Type, name: Name) {
  return fact(type, {
    data: FraudFact,
    webhook: {
      name,
      fills: {
        payment: [WebhookPayment, ({ payment }) => payment],
        fraud: [FraudSnapshot, ({ fraud }) => fraud],
        metadata: [FraudMetadata, ({ metadata }) => metadata],
      },
      sometimes: ['payment'],
      resource: ({ flag_id, fraud, webhook_url }) => ({
        resource_id: flag_id,
        merchant_id: fraud.merchant_id,
        payment_id: fraud.payment_id,
        webhook_url,
      }),
    },
  });
}

/** A payment’s score is elevated: a person should look at it. */
export const fraudFlagRaised = fraudFact('fraud.flag-raised.v1', 'FraudFlagRaised');
/** A payment was blocked, before it was stored or for one wallet. */
export const fraudPaymentBlocked = fraudFact('fraud.payment-blocked.v1', 'FraudPaymentBlocked');

export const fraudFacts = [fraudFlagRaised, fraudPaymentBlocked] as const;
