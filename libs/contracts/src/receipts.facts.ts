import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { TOKENS, type Token } from '@tender/kernel';
import { fact } from './fact';
import type { TransferFailure } from './treasury-calls';
import { TRANSFER_FAILURES } from './treasury.facts';
import { Describe, IsBaseUnits, IsTime, OrNull } from './validation';

export const RECEIPT_REASONS = [
  'late',
  'short',
  'surplus',
  'duplicate',
  'wrong_mint',
  'wrong_account',
  'failed_on_chain',
  'no_reference',
] as const;
export type ReceiptReason = (typeof RECEIPT_REASONS)[number];

export const RECEIPT_RESOLUTIONS = ['accepted', 'refunded'] as const;
export type ReceiptResolution = (typeof RECEIPT_RESOLUTIONS)[number];

const REFUND_STATUSES = ['processing', 'completed', 'failed'] as const;

/** The newest attempt to send the money back; a further one may follow where it has failed. */
export class ReceiptRefundSnapshot {
  @IsIn(REFUND_STATUSES) status!: (typeof REFUND_STATUSES)[number];
  @Describe('Of the refund itself; null while it is not final.')
  @OrNull()
  @IsString()
  transaction_signature!: string | null;
  @OrNull() @IsIn(TRANSFER_FAILURES) failure_reason!: TransferFailure | null;
}

/** Money that pays nothing: in facts, and the base of answers to clients. */
export class ReceiptSnapshot {
  @IsString() id!: string;
  @OrNull() @IsString() payment_id!: string | null;
  @IsIn(RECEIPT_REASONS) reason!: ReceiptReason;
  /** Null for a mint that Tender does not take. */
  @OrNull() @IsString() token!: string | null;
  @OrNull() @IsString() token_mint!: string | null;
  /** "0" for money that did not reach the merchant. */
  @IsBaseUnits() amount!: string;
  @IsString() transaction_signature!: string;
  @OrNull() @IsString() from_wallet!: string | null;
  @Describe('The wallet that holds the money: the merchant’s own, or its operating wallet. Absent where none came.')
  @IsOptional()
  @IsString()
  wallet?: string;
  @IsTime() block_time!: string;
  @IsTime() created_at!: string;
  @Describe('Present where two merchants receive at one wallet and nothing says whose money it is.')
  @IsOptional()
  @IsIn([true])
  shared_wallet?: true;
  @IsOptional()
  @OrNull()
  @IsIn(RECEIPT_RESOLUTIONS)
  resolution?: ReceiptResolution | null;
  @Describe('The merchant’s own words.')
  @IsOptional()
  @OrNull()
  @IsString()
  resolution_note?: string | null;
  @IsOptional() @OrNull() @IsTime() resolved_at?: string | null;
  @Describe('How far the money has come on its way back. Absent where the merchant has not asked for that.')
  @IsOptional()
  @ValidateNested()
  @Type(() => ReceiptRefundSnapshot)
  refund?: ReceiptRefundSnapshot;
}

export class ReceiptFact {
  @ValidateNested() @Type(() => ReceiptSnapshot) receipt!: ReceiptSnapshot;
  @IsString() merchant_id!: string;
  @Describe('Takes the place of the merchant’s.')
  @OrNull()
  @IsString()
  webhook_url!: string | null;
}

/** Each shows the receipt as it is right after the event. */
function receiptFact<const Type extends string, const Name extends string>(type: Type, name: Name) {
  return fact(type, {
    data: ReceiptFact,
    webhook: {
      name,
      fills: { receipt: [ReceiptSnapshot, ({ receipt }) => receipt] },
      resource: ({ receipt, merchant_id, webhook_url }) => ({
        resource_id: receipt.id,
        merchant_id,
        payment_id: receipt.payment_id,
        webhook_url,
      }),
    },
  });
}

export const receiptRecorded = receiptFact('payments.receipt-recorded.v1', 'ReceiptRecorded');
export const receiptResolved = receiptFact('payments.receipt-resolved.v1', 'ReceiptResolved');

/** What is to go back for a receipt, and where. Key: the receipt. */
export class ReceiptRefundRequestedFact {
  @IsString() receipt_id!: string;
  @IsString() merchant_id!: string;
  /** From 1. */
  @IsInt() attempt!: number;
  @IsIn(TOKENS) token!: Token;
  @IsBaseUnits() amount!: string;
  /** The transaction that brought the money. */
  @IsString() credit!: string;
  @Describe('The wallet that sent it.') @IsString() to!: string;
}

export const receiptRefundRequested = fact('payments.receipt-refund-requested.v1', {
  data: ReceiptRefundRequestedFact,
});

export const receiptsFacts = [receiptRecorded, receiptRefundRequested, receiptResolved] as const;
