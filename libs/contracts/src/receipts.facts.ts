import { Type } from 'class-transformer';
import { IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
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
