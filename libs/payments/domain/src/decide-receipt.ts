import { accept, refuse, type Decider, type Decision } from '@tender/kernel';
import {
  evolveReceipt,
  UNKNOWN_RECEIPT,
  type KnownReceipt,
  type Receipt,
  type ReceiptEvent,
  type ReceiptRecorded,
  type RefundFailureName,
} from './receipt';

export interface RecordReceipt {
  readonly type: 'RecordReceipt';
  readonly receipt: ReceiptRecorded['data'];
}

/** The merchant answers for the money: it keeps it, or sends it back. Once, unless a refund fails. */
export interface ResolveReceipt {
  readonly type: 'ResolveReceipt';
  readonly action: 'accept' | 'refund';
  readonly note: string | null;
  readonly resolved_at: string;
  /** The merchant’s, which Tender signs for; null: there is none, or nothing depends on it. */
  readonly operating_wallet: string | null;
}

/** The transfer of that attempt is final. */
export interface CompleteReceiptRefund {
  readonly type: 'CompleteReceiptRefund';
  readonly attempt: number;
  readonly transaction_signature: string;
  readonly completed_at: string;
}

/** The transfer of that attempt has moved nothing, and never will. */
export interface FailReceiptRefund {
  readonly type: 'FailReceiptRefund';
  readonly attempt: number;
  readonly failure_reason: RefundFailureName;
  readonly transaction_signature: string | null;
}

/**
 * Whether a receipt is of money that could go back: it is known who sent which amount of which token where. What the
 * wallet is, the receipt does not say.
 */
export const couldGoBack = ({ token, amount, from_wallet, wallet }: KnownReceipt): boolean =>
  token !== null && BigInt(amount) > 0n && from_wallet !== null && wallet !== undefined;

const recordReceipt = (
  { receipt }: RecordReceipt,
  state: Receipt,
): Decision<ReceiptEvent, never> =>
  state.status === 'unknown'
    ? accept<ReceiptEvent>({ type: 'ReceiptRecorded', data: receipt })
    : accept<ReceiptEvent>();

function resolveReceipt(
  { action, note, resolved_at, operating_wallet }: ResolveReceipt,
  state: Receipt,
): Decision<
  ReceiptEvent,
  'receipt_unknown' | 'receipt_already_resolved' | 'refund_in_progress' | 'receipt_not_refundable'
> {
  if (state.status === 'unknown') return refuse('receipt_unknown');
  if (state.resolution) return refuse('receipt_already_resolved', { resolution: state.resolution });
  const { receipt, refund } = partsOf(state);
  if (refund?.status === 'processing') return refuse('refund_in_progress');
  if (action === 'accept') {
    const accepted = { resolution: 'accepted', resolution_note: note, resolved_at } as const;
    const data = { receipt, ...accepted, ...(refund ? { refund } : {}) };
    return accept<ReceiptEvent>({ type: 'ReceiptResolved', data });
  }
  if (!couldGoBack(state) || state.wallet !== operating_wallet) return refuse('receipt_not_refundable');
  const attempt = (refund?.attempt ?? 0) + 1;
  return accept<ReceiptEvent>({
    type: 'ReceiptRefundRequested',
    data: { receipt, refund: { attempt, status: 'processing', note } },
  });
}

function completeReceiptRefund(
  { attempt, transaction_signature, completed_at }: CompleteReceiptRefund,
  state: Receipt,
): Decision<ReceiptEvent, 'receipt_unknown' | 'refund_not_processing'> {
  if (state.status === 'unknown') return refuse('receipt_unknown');
  const { receipt, refund } = partsOf(state);
  if (refund?.attempt !== attempt || refund.status === 'failed') return refuse('refund_not_processing');
  if (refund.status === 'completed') return accept<ReceiptEvent>();
  return accept<ReceiptEvent>({
    type: 'ReceiptResolved',
    data: {
      ...{ receipt, resolution: 'refunded', resolution_note: refund.note, resolved_at: completed_at },
      refund: { ...refund, status: 'completed', transaction_signature },
    },
  });
}

/** An attempt before the last one has failed, or there would be no later one. */
function failReceiptRefund(
  { attempt, failure_reason, transaction_signature }: FailReceiptRefund,
  state: Receipt,
): Decision<ReceiptEvent, 'receipt_unknown' | 'refund_not_processing'> {
  if (state.status === 'unknown') return refuse('receipt_unknown');
  const { receipt, refund } = partsOf(state);
  if (!refund || attempt > refund.attempt) return refuse('refund_not_processing');
  if (attempt < refund.attempt || refund.status === 'failed') return accept<ReceiptEvent>();
  if (refund.status === 'completed') return refuse('refund_not_processing');
  return accept<ReceiptEvent>({
    type: 'ReceiptRefundFailed',
    data: { receipt, refund: { ...refund, status: 'failed', failure_reason, transaction_signature } },
  });
}

function partsOf(state: KnownReceipt & { readonly status: 'recorded' }) {
  const { status: _, refund, ...known } = state;
  const { resolution: _1, resolution_note: _2, resolved_at: _3, ...receipt } = known;
  return { receipt, refund };
}

/** A receipt’s id derives from the money itself: reported twice, it is recorded once. */
export const receiptDecider = {
  initial: UNKNOWN_RECEIPT,
  evolve: evolveReceipt,
  decide: {
    RecordReceipt: recordReceipt,
    ResolveReceipt: resolveReceipt,
    CompleteReceiptRefund: completeReceiptRefund,
    FailReceiptRefund: failReceiptRefund,
  },
} satisfies Decider<Receipt, ReceiptEvent>;
