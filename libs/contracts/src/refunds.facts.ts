import { TOKENS, type Token } from '@tender/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import type { TransferFailure } from './treasury-calls';
import { Describe, IsBaseUnits, IsMetadata, IsTime, OrNull } from './validation';

export const REFUND_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type RefundStatus = (typeof REFUND_STATUSES)[number];

export const REFUND_INITIATORS = ['merchant', 'admin', 'system'] as const;
export type RefundInitiator = (typeof REFUND_INITIATORS)[number];

const REFUND_FAILURES: readonly TransferFailure[] = [
  'insufficient_balance',
  'destination_invalid',
  'signing_declined',
  'sanctions_hit',
];

/**
 * A refund as merchants hear of it. Topics hold records of every release: a field that is added here is optional.
 */
export class RefundSnapshot {
  @IsString() id!: string;
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @Describe('The same as `amount_usd`.') @IsNumber() amount!: number;
  @IsNumber() amount_usd!: number;
  @IsIn(REFUND_STATUSES) status!: RefundStatus;
  @OrNull() @IsString() reason!: string | null;
  @IsMetadata() metadata!: object;
  @IsIn(REFUND_INITIATORS) initiated_by!: RefundInitiator;
  @IsIn(TOKENS) token!: Token;
  @IsBaseUnits() token_amount!: string;
  @Describe('Of the newest transaction that was signed for it.')
  @OrNull()
  @IsString()
  transaction_signature!: string | null;
  @Describe('The wallet that paid: the money goes there, and nowhere else.')
  @IsString()
  customer_wallet!: string;
  /** Sealed in facts, for they stay; opened in webhooks and answers. */
  @Describe('Null where none is known, or the customer was erased.')
  @OrNull()
  @IsString()
  customer_email!: string | null;
  @OrNull() @IsIn(REFUND_FAILURES) failure_reason!: TransferFailure | null;
  @Describe('The dispute that was resolved with it; null without one.')
  @OrNull()
  @IsString()
  dispute_id!: string | null;
  @IsTime() estimated_completion!: string;
  @IsTime() created_at!: string;
  @OrNull() @IsTime() completed_at!: string | null;
}

/** The refund as it is right after the event. */
export class RefundFact {
  @ValidateNested() @Type(() => RefundSnapshot) refund!: RefundSnapshot;
  @Describe('The payment’s own, which takes the place of the merchant’s.')
  @OrNull()
  @IsString()
  webhook_url!: string | null;
}

/** What is to leave the operating wallet for a refund, besides. */
export class RefundInitiatedFact extends RefundFact {
  @Describe('The transaction that brought the money.') @IsString() paid_by!: string;
}

function refundWebhook<const Name extends string>(name: Name) {
  return {
    name,
    fills: {
      refund: [RefundSnapshot, ({ refund }: RefundFact): RefundSnapshot => refund] as const,
    },
    resource: ({ refund: { id, merchant_id, payment_id }, webhook_url }: RefundFact) => ({
      ...{ resource_id: id, merchant_id, payment_id, webhook_url },
    }),
  };
}

export const refundInitiated = fact('refunds-disputes.refund-initiated.v1', {
  data: RefundInitiatedFact,
  webhook: refundWebhook('RefundInitiated'),
});
export const refundCompleted = fact('refunds-disputes.refund-completed.v1', {
  data: RefundFact,
  webhook: refundWebhook('RefundCompleted'),
});
export const refundFailed = fact('refunds-disputes.refund-failed.v1', {
  data: RefundFact,
  webhook: refundWebhook('RefundFailed'),
});

export const refundsFacts = [refundInitiated, refundCompleted, refundFailed] as const;
