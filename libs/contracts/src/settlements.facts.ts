import { TOKENS, type Token } from '@tender/kernel';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsOptional, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { PaymentFact, resourceOfPayment, WebhookPayment } from './payments.facts';
import type { TransferFailure } from './treasury-calls';
import { TRANSFER_FAILURES } from './treasury.facts';
import { Describe, IsBaseUnits, OrNull } from './validation';

export const SETTLEMENT_STATUSES = ['pending', 'processing', 'completed', 'failed'] as const;
export type SettlementStatus = (typeof SETTLEMENT_STATUSES)[number];

/**
 * The settlement in facts and in webhooks, and the base of answers to clients. Topics hold records of every release:
 * a field that is added here is optional.
 */
export class SettlementSnapshot {
  @IsString() id!: string;
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @IsNumber() amount_usd!: number;
  @IsString() settlement_token!: string;
  @Describe('Whole tokens.') @IsNumber() settlement_amount!: number;
  @Describe('Of the transaction that brings the money to the merchant’s wallet; null until one is signed.')
  @OrNull()
  @IsString()
  transaction_signature!: string | null;
  @IsString() merchant_wallet!: string;
  @IsIn(SETTLEMENT_STATUSES) status!: SettlementStatus;
  @Describe('Why nothing has left the operating wallet; null unless it has failed.')
  @IsOptional()
  @OrNull()
  @IsIn(TRANSFER_FAILURES)
  failure_reason?: TransferFailure | null;
}

export class SettlementFact extends PaymentFact {
  @ValidateNested() @Type(() => SettlementSnapshot) settlement!: SettlementSnapshot;
}

/** Each shows the settlement as it is right after the event. */
function settlementFact<const Type extends string, const Name extends string>(
  type: Type,
  name: Name,
) {
  return fact(type, {
    data: SettlementFact,
    webhook: {
      name,
      fills: {
        payment: [WebhookPayment, ({ payment }) => payment],
        settlement: [SettlementSnapshot, ({ settlement }) => settlement],
      },
      resource: resourceOfPayment,
    },
  });
}

export const settlementCompleted = settlementFact(
  'payments.settlement-completed.v1',
  'SettlementCompleted',
);
/** It can be retried. */
export const settlementFailed = settlementFact('payments.settlement-failed.v1', 'SettlementFailed');

/** A transfer out of the operating wallet is asked for next, one for each attempt. */
export class SettlementRequestedFact {
  @IsString() settlement_id!: string;
  @Describe('From 1 on.') @IsInt() attempt!: number;
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @IsIn(TOKENS) token!: Token;
  @IsBaseUnits() amount!: string;
}

export const settlementRequested = fact('payments.settlement-requested.v1', {
  data: SettlementRequestedFact,
});

export const settlementsFacts = [
  settlementRequested,
  settlementCompleted,
  settlementFailed,
] as const;
