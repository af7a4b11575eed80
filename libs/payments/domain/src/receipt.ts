import { accept, type Decider, type Decision, type Mode } from '@tender/kernel';

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
    readonly from_wallet: string | null;
    readonly block_time: string;
    readonly created_at: string;
    readonly shared_wallet: boolean;
    /** The payment’s own webhook URL. */
    readonly webhook_url: string | null;
  };
}

export type Receipt = { readonly status: 'unknown' } | ({ readonly status: 'recorded' } & ReceiptRecorded['data']);

export interface RecordReceipt {
  readonly type: 'RecordReceipt';
  readonly receipt: ReceiptRecorded['data'];
}

export const UNKNOWN_RECEIPT: Receipt = { status: 'unknown' };

export const evolveReceipt = (_: Receipt, event: ReceiptRecorded): Receipt => ({
  ...event.data,
  status: 'recorded',
});

const recordReceipt = (
  { receipt }: RecordReceipt,
  state: Receipt,
): Decision<ReceiptRecorded, never> =>
  state.status === 'unknown'
    ? accept({ type: 'ReceiptRecorded', data: receipt })
    : accept<ReceiptRecorded>();

/** A receipt’s id derives from the money itself: reported twice, it is recorded once. */
export const receiptDecider = {
  initial: UNKNOWN_RECEIPT,
  evolve: evolveReceipt,
  decide: { RecordReceipt: recordReceipt },
} satisfies Decider<Receipt, ReceiptRecorded>;
