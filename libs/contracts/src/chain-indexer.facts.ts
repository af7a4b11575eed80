import { IsBoolean, IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { fact } from './fact';
import { RECEIPT_REASONS, type ReceiptReason } from './receipts.facts';
import { IsBaseUnits, IsTime, OrNull } from './validation';

/** The one credit that pays this payment. Key: the watch. */
export class CreditAllocatedFact {
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @IsString() token!: string;
  @OrNull() @IsString() token_mint!: string | null;
  /** Net credit of the whole transaction. */
  @IsBaseUnits() amount!: string;
  @IsString() transaction_signature!: string;
  @IsOptional() @IsInt() slot?: number;
  @OrNull() @IsString() from_wallet!: string | null;
  @IsTime() block_time!: string;
}

/** The indexer has seen every block up to `watermark`, which is past the payment's expiry. */
export class WatchClosedFact {
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @IsTime() watermark!: string;
}

/** Money that pays nothing, and why. */
export class MoneyReceivedFact {
  @IsString() merchant_id!: string;
  @OrNull() @IsString() payment_id!: string | null;
  @IsIn(RECEIPT_REASONS) reason!: ReceiptReason;
  @OrNull() @IsString() token!: string | null;
  @OrNull() @IsString() token_mint!: string | null;
  @IsString() account!: string;
  @IsOptional() @IsString() wallet?: string;
  @IsBaseUnits() amount!: string;
  @IsString() transaction_signature!: string;
  @IsOptional() @IsInt() slot?: number;
  @OrNull() @IsString() from_wallet!: string | null;
  @IsTime() block_time!: string;
  @IsBoolean() shared_wallet!: boolean;
}

/** A transaction that this service built is on the chain, for good, and has not paid. Key: the watch. */
export class SubmissionFailedFact {
  @IsString() payment_id!: string;
  @IsString() merchant_id!: string;
  @IsString() transaction_signature!: string;
  @IsOptional() @IsInt() slot?: number;
  @OrNull() @IsString() customer_wallet!: string | null;
  @IsString() reason!: string;
}

export const creditAllocated = fact('chain-indexer.credit-allocated.v1', { data: CreditAllocatedFact });
export const watchClosed = fact('chain-indexer.watch-closed.v1', { data: WatchClosedFact });
export const moneyReceived = fact('chain-indexer.money-received.v1', { data: MoneyReceivedFact });
export const submissionFailed = fact('chain-indexer.submission-failed.v1', { data: SubmissionFailedFact });

export const chainIndexerFacts = [
  creditAllocated,
  watchClosed,
  moneyReceived,
  submissionFailed,
] as const;
