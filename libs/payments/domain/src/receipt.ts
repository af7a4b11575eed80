import type { Mode } from '@tender/kernel';

export type ReceiptReasonName =
  | 'late'
  | 'short'
  | 'surplus'
  | 'duplicate'
  | 'wrong_mint'
  | 'wrong_account'
  | 'failed_on_chain'
  | 'no_reference';

/** Money that reached (or missed) a merchant and pays nothing (specification §2.7). */
export interface ReceiptRecorded {
  readonly type: 'ReceiptRecorded';
  readonly data: {
    readonly receipt_id: string;
    readonly merchant_id: string;
    readonly mode: Mode;
    /** The payment that the money named, if any. */
    readonly payment_id: string | null;
    readonly reason: ReceiptReasonName;
    /** Null for a mint that Tender does not take. */
    readonly token: string | null;
    readonly token_mint: string | null;
    /** Base units. */
    readonly amount: string;
    readonly transaction_signature: string;
    /** Receipts of before it was told lack it. */
    readonly slot?: number;
    readonly from_wallet: string | null;
    /** Where the money is now; none where nothing came, and in receipts from before it was recorded. */
    readonly wallet?: string;
    readonly block_time: string;
    readonly created_at: string;
    readonly shared_wallet: boolean;
    /** The payment’s own webhook URL. */
    readonly webhook_url: string | null;
  };
}

/** Why money was not sent back and, by this attempt, never will be (specification §2.9). */
export type RefundFailureName =
  | 'insufficient_balance'
  | 'destination_invalid'
  | 'signing_declined'
  | 'sanctions_hit';

interface RefundAttempt {
  /** From 1; one follows only where the one before has failed. */
  readonly attempt: number;
  /** The merchant’s own words, which become those of the resolution. */
  readonly note: string | null;
}
/** From here on its transfer may leave the operating wallet. */
export interface ProcessingRefund extends RefundAttempt {
  readonly status: 'processing';
}
export interface CompletedRefund extends RefundAttempt {
  readonly status: 'completed';
  readonly transaction_signature: string;
}
/** Nothing has left, and nothing will. */
export interface FailedRefund extends RefundAttempt {
  readonly status: 'failed';
  readonly failure_reason: RefundFailureName;
  /** Null where no transaction says so at finalized. */
  readonly transaction_signature: string | null;
}
/** The money on its way back to the wallet that it came from, by one transfer out of the operating wallet. */
export type ReceiptRefund = ProcessingRefund | CompletedRefund | FailedRefund;

/** What the merchant made of the money. */
export interface Resolution {
  readonly resolution: 'accepted' | 'refunded';
  readonly resolution_note: string | null;
  readonly resolved_at: string;
}

interface OfReceipt {
  /** Each event carries it again: a public event is made from one event alone. */
  readonly receipt: ReceiptRecorded['data'];
}

/** From here on its transfer is asked for until it is known what became of it. */
export interface ReceiptRefundRequested {
  readonly type: 'ReceiptRefundRequested';
  readonly data: OfReceipt & { readonly refund: ProcessingRefund };
}

/** Nothing has left the operating wallet: the receipt is to be resolved again. */
export interface ReceiptRefundFailed {
  readonly type: 'ReceiptRefundFailed';
  readonly data: OfReceipt & { readonly refund: FailedRefund };
}

export interface ReceiptResolved {
  readonly type: 'ReceiptResolved';
  /** `refund`: the last attempt, where there was one. */
  readonly data: OfReceipt & Resolution & { readonly refund?: ReceiptRefund };
}

export type ReceiptEvent =
  | ReceiptRecorded
  | ReceiptRefundRequested
  | ReceiptRefundFailed
  | ReceiptResolved;

/** Without a resolution until it is resolved; rows and events of before there were any have none either. */
export type KnownReceipt = ReceiptRecorded['data'] &
  Partial<Resolution> & { readonly refund?: ReceiptRefund };

export type Receipt = { readonly status: 'unknown' } | ({ readonly status: 'recorded' } & KnownReceipt);

export const UNKNOWN_RECEIPT: Receipt = { status: 'unknown' };

/** The fold. */
export function evolveReceipt(state: Receipt, event: ReceiptEvent): Receipt {
  switch (event.type) {
    case 'ReceiptRecorded':
    case 'ReceiptRefundRequested':
    case 'ReceiptRefundFailed':
    case 'ReceiptResolved':
      return { ...receiptAfter(event), status: 'recorded' };
    default:
      return state;
  }
}

/** The receipt right after this event, made from the event alone: what is published. */
export function receiptAfter(event: ReceiptEvent): KnownReceipt {
  if (event.type === 'ReceiptRecorded') return event.data;
  const { receipt, ...known } = event.data;
  return { ...receipt, ...known };
}
