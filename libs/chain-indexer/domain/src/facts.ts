/** What the log and the public facts say of one payment's money; amounts are base units as text. */
export interface AllocatedMoney {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly token: string;
  readonly token_mint: string | null;
  readonly amount: string;
  readonly transaction_signature: string;
  /** Facts of before it was told lack it. */
  readonly slot?: number;
  readonly from_wallet: string | null;
  /** ISO 8601. */
  readonly block_time: string;
}

/** Money that pays nothing, and why. */
export interface ReceivedMoney {
  readonly merchant_id: string;
  readonly payment_id: string | null;
  readonly reason:
    | 'late'
    | 'short'
    | 'duplicate'
    | 'wrong_mint'
    | 'wrong_account'
    | 'failed_on_chain'
    | 'no_reference';
  /** Null for a mint that this service does not take. */
  readonly token: string | null;
  readonly token_mint: string | null;
  readonly account: string;
  /** The wallet that holds the money now; none where nothing came, and in facts from before it was recorded. */
  readonly wallet?: string;
  readonly amount: string;
  readonly transaction_signature: string;
  /** Facts of before it was told lack it. */
  readonly slot?: number;
  readonly from_wallet: string | null;
  /** ISO 8601. */
  readonly block_time: string;
  readonly shared_wallet: boolean;
}

/** A transaction of this service that is on the chain and has not paid. */
export interface FailedSubmission {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly transaction_signature: string;
  /** Events of before have none. */
  readonly slot?: number;
  readonly customer_wallet: string | null;
  readonly reason: 'failed_on_chain' | 'without_effect';
}
