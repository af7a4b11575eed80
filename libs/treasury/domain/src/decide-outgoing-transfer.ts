import { accept, refuse, type Decider } from '@tender/kernel';
import {
  evolveTransfer,
  hasEnded,
  openAttempt,
  UNKNOWN_TRANSFER,
  type DropProof,
  type OutgoingTransfer,
  type OutgoingTransferEvent,
  type SignedTransfer,
  type TransferFailureReason,
  type TransferTerms,
} from './outgoing-transfer';

export interface RequestTransfer {
  readonly type: 'RequestTransfer';
  readonly transfer: TransferTerms;
}
/** Before the bytes are sent for the first time. */
export interface SignTransfer {
  readonly type: 'SignTransfer';
  readonly signed: SignedTransfer;
}
/** With proof that the transaction has moved nothing and never will. */
export interface DropTransaction {
  readonly type: 'DropTransaction';
  readonly signature: string;
  readonly proof: DropProof;
}
/** The transaction is final, with the due effect. */
export interface CompleteTransfer {
  readonly type: 'CompleteTransfer';
  readonly signature: string;
  readonly slot: number;
}
/** Nothing has left the wallet. */
export interface FailTransfer {
  readonly type: 'FailTransfer';
  readonly reason: TransferFailureReason;
  /** The transaction that is final with that error; null where none was signed, or none may land. */
  readonly signature: string | null;
}
/** The marker of a completed transfer is gone at finalized. */
export interface ReclaimMarker {
  readonly type: 'ReclaimMarker';
}

const nothing = () => accept<OutgoingTransferEvent>();
const unknown = () => refuse('transfer_unknown');

/** Where a settlement goes, and which wallet pays, follow from the merchant: what they were at first counts. */
function isTheSame(one: TransferTerms, other: TransferTerms): boolean {
  return (
    one.type === other.type &&
    one.merchant_id === other.merchant_id &&
    one.asset === other.asset &&
    one.amount === other.amount &&
    one.credit === other.credit &&
    (one.type === 'settlement' || one.to === other.to)
  );
}

function requestTransfer({ transfer }: RequestTransfer, state: OutgoingTransfer) {
  if (state.status === 'unknown') {
    return accept<OutgoingTransferEvent>({ type: 'TransferRequested', data: { transfer } });
  }
  return isTheSame(transfer, state.transfer) ? nothing() : refuse('transfer_differs');
}

/** One transaction at a time may land, and none once the transfer has ended. */
function signTransfer({ signed }: SignTransfer, state: OutgoingTransfer) {
  if (state.status === 'unknown') return unknown();
  if (state.attempts.some(({ signature }) => signature === signed.signature)) return nothing();
  if (hasEnded(state)) return refuse('transfer_ended');
  if (openAttempt(state) !== null) return refuse('transaction_in_flight');
  const { transfer } = state;
  return accept<OutgoingTransferEvent>({ type: 'TransferSigned', data: { transfer, signed } });
}

function dropTransaction({ signature, proof }: DropTransaction, state: OutgoingTransfer) {
  if (state.status === 'unknown') return unknown();
  if (hasEnded(state) || openAttempt(state)?.signature !== signature) return nothing();
  const { transfer_id } = state.transfer;
  return accept<OutgoingTransferEvent>({
    type: 'TransferDropped',
    data: { transfer_id, signature, proof },
  });
}

/** Any that was signed may prove to be the one: what nodes said of it before may have been wrong. */
function completeTransfer({ signature, slot }: CompleteTransfer, state: OutgoingTransfer) {
  if (state.status === 'unknown') return unknown();
  if (!state.attempts.some((attempt) => attempt.signature === signature)) return refuse('not_signed');
  if (state.status === 'completed') return nothing();
  if (state.status === 'failed') return refuse('transfer_ended');
  const { transfer } = state;
  return accept<OutgoingTransferEvent>({
    type: 'TransferCompleted',
    data: { transfer, signature, slot },
  });
}

/** Never while a transaction may land, but for the one whose end says so. */
function failTransfer({ reason, signature }: FailTransfer, state: OutgoingTransfer) {
  if (state.status === 'unknown') return unknown();
  if (state.status === 'failed') return nothing();
  if (state.status === 'completed') return refuse('transfer_ended');
  if ((openAttempt(state)?.signature ?? null) !== signature) return refuse('transaction_in_flight');
  const { transfer } = state;
  return accept<OutgoingTransferEvent>({
    type: 'TransferFailed',
    data: { transfer, reason, signature },
  });
}

function reclaimMarker(_: ReclaimMarker, state: OutgoingTransfer) {
  if (state.status === 'unknown') return unknown();
  if (state.status !== 'completed') return refuse('transfer_not_completed');
  if (state.is_marker_reclaimed) return nothing();
  const { transfer_id } = state.transfer;
  return accept<OutgoingTransferEvent>({ type: 'MarkerReclaimed', data: { transfer_id } });
}

/** The rules of one transfer out of an operating wallet. */
export const outgoingTransferDecider = {
  initial: UNKNOWN_TRANSFER,
  evolve: evolveTransfer,
  decide: {
    RequestTransfer: requestTransfer,
    SignTransfer: signTransfer,
    DropTransaction: dropTransaction,
    CompleteTransfer: completeTransfer,
    FailTransfer: failTransfer,
    ReclaimMarker: reclaimMarker,
  },
} satisfies Decider<OutgoingTransfer, OutgoingTransferEvent>;
