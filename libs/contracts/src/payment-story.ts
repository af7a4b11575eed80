import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsString, ValidateNested } from 'class-validator';
import { paymentIds } from './payment-ids';
import { PAYMENT_STATUSES, type PaymentStatus } from './payments.facts';
import { route } from './route';
import { Describe, IsIdOf, IsTime, OrNull } from './validation';

/** One thing that happened, as a person reads it. */
export class StoryStep {
  @Describe('Business time.') @IsTime() at!: string;
  @IsString() what!: string;
  @OrNull() @IsString() because!: string | null;
  /** Of what the chain did. */
  @OrNull() @IsString() transaction_signature!: string | null;
  @OrNull() @IsInt() slot!: number | null;
  @Describe('What the transaction was judged to be, or what the search came to.')
  @OrNull()
  @IsString()
  verdict!: string | null;
}

/** Where money is looked for on chain. */
export class LookedForMoney {
  @IsString() reference!: string;
  @IsArray() @IsString({ each: true }) accounts!: string[];
  @Describe('Time of the last block that was read; null before the first.')
  @OrNull()
  @IsTime()
  up_to!: string | null;
}

export class PaymentExplanation {
  @IsIdOf(paymentIds) payment_id!: string;
  @IsIn(PAYMENT_STATUSES) status!: PaymentStatus;
  @IsArray() @ValidateNested({ each: true }) @Type(() => StoryStep) steps!: StoryStep[];
  @Describe('Null once the payment is confirmed.')
  @OrNull()
  @ValidateNested()
  @Type(() => LookedForMoney)
  looked_for!: LookedForMoney | null;
}

export const explainPayment = route({
  id: 'explainPayment',
  method: 'GET',
  path: '/api/v1/payments/{id}/explain',
  context: 'payments',
  auth: 'key',
  limit: 'read',
  idempotent: false,
  objects: { id: paymentIds },
  answers: { 200: PaymentExplanation },
  refusals: ['not_found'],
  summary: 'Why a payment is as it is: what happened to it, and where its money was looked for',
  tag: 'Payments',
});
