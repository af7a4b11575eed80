import { accept, refuse, type Decider, type Decision, type Mode } from '@tender/kernel';

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

/** What the merchant made of the money. */
export interface Resolution {
  readonly resolution: 'accepted';
  readonly resolution_note: string | null;
  readonly resolved_at: string;
}

/** Carries the receipt again: a public event is made from one event alone. */
export interface ReceiptResolved {
  readonly type: 'ReceiptResolved';
  readonly data: { readonly receipt: ReceiptRecorded['data'] } & Resolution;
}

export type ReceiptEvent = ReceiptRecorded | ReceiptResolved;

/** Without a resolution until it is resolved; rows and events of before there were any have none either. */
export type KnownReceipt = ReceiptRecorded['data'] & Partial<Resolution>;

export type Receipt = { readonly status: 'unknown' } | ({ readonly status: 'recorded' } & KnownReceipt);

export interface RecordReceipt {
  readonly type: 'RecordReceipt';
  readonly receipt: ReceiptRecorded['data'];
}

/** The merchant answers for the money: it keeps it, or sends it back. Once. */
export interface ResolveReceipt {
  readonly type: 'ResolveReceipt';
  readonly action: 'accept' | 'refund';
  readonly note: string | null;
  readonly resolved_at: string;
}

export const UNKNOWN_RECEIPT: Receipt = { status: 'unknown' };

export function evolveReceipt(state: Receipt, event: ReceiptEvent): Receipt {
  if (event.type === 'ReceiptRecorded') return { ...event.data, status: 'recorded' };
  if (event.type === 'ReceiptResolved') return { ...receiptAfter(event), status: 'recorded' };
  return state;
}

/** The receipt right after this event, made from the event alone: what is published. */
export function receiptAfter(event: ReceiptEvent): KnownReceipt {
  if (event.type === 'ReceiptRecorded') return event.data;
  const { receipt, ...resolution } = event.data;
  return { ...receipt, ...resolution };
}

const recordReceipt = (
  { receipt }: RecordReceipt,
  state: Receipt,
): Decision<ReceiptEvent, never> =>
  state.status === 'unknown'
    ? accept<ReceiptEvent>({ type: 'ReceiptRecorded', data: receipt })
    : accept<ReceiptEvent>();

/** No receipt is in a wallet that Tender signs for, so none can be sent back by it. */
function resolveReceipt(
  { action, note, resolved_at }: ResolveReceipt,
  state: Receipt,
): Decision<ReceiptEvent, 'receipt_unknown' | 'receipt_already_resolved' | 'receipt_not_refundable'> {
  if (state.status === 'unknown') return refuse('receipt_unknown');
  if (state.resolution) return refuse('receipt_already_resolved', { resolution: state.resolution });
  if (action === 'refund') return refuse('receipt_not_refundable');
  const { status: _, ...receipt } = state;
  return accept<ReceiptEvent>({
    type: 'ReceiptResolved',
    data: { receipt, resolution: 'accepted', resolution_note: note, resolved_at },
  });
}

/** A receipt’s id derives from the money itself: reported twice, it is recorded once. */
export const receiptDecider = {
  initial: UNKNOWN_RECEIPT,
  evolve: evolveReceipt,
  decide: { RecordReceipt: recordReceipt, ResolveReceipt: resolveReceipt },
} satisfies Decider<Receipt, ReceiptEvent>;
