import type { Mode, Token } from '@tender/kernel';

/** What money leaves an operating wallet for. */
export type TransferType = 'refund' | 'settlement';

/** What is to happen, once. */
export interface TransferTerms {
  /** Of what it is for: a refund’s, a settlement’s. */
  readonly transfer_id: string;
  readonly mode: Mode;
  readonly type: TransferType;
  readonly merchant_id: string;
  /** The operating wallet. */
  readonly from: string;
  /** The wallet that is paid, never a token account. */
  readonly to: string;
  readonly asset: Token;
  /** Base units. */
  readonly amount: string;
  /** Of a refund: the signature of the transaction that brought the money. Null elsewhere. */
  readonly credit: string | null;
}

/** One transaction of a transfer, whole: these bytes are sent, and sent again. */
export interface SignedTransfer {
  /** Base64. */
  readonly transaction: string;
  /** What the chain knows it by. */
  readonly signature: string;
  readonly recent_blockhash: string;
  readonly last_valid_block_height: number;
}

/** Why money did not leave and never will (specification §2.9). */
export type TransferFailureReason =
  | 'insufficient_balance'
  | 'destination_invalid'
  | 'signing_declined'
  | 'sanctions_hit';

/** Why a transaction of a transfer has no effect and never will, as all nodes show that were asked. */
export interface DropProof {
  /** Null: its blockhash is dead and no node knows it; else what the chain says of it at finalized. */
  readonly error: string | null;
  /** The lowest that a node says. */
  readonly finalized_block_height: number;
  readonly nodes: number;
}

export interface TransferRequested {
  readonly type: 'TransferRequested';
  readonly data: { readonly transfer: TransferTerms };
}
/** Recorded before the transaction is sent: from here on it may land. */
export interface TransferSigned {
  readonly type: 'TransferSigned';
  readonly data: { readonly transfer: TransferTerms; readonly signed: SignedTransfer };
}
/** A transaction of the transfer can land no more, and has not moved anything: another one may be signed. */
export interface TransferDropped {
  readonly type: 'TransferDropped';
  readonly data: {
    readonly transfer_id: string;
    readonly signature: string;
    readonly proof: DropProof;
  };
}
/** The money is where it is due, at finalized. */
export interface TransferCompleted {
  readonly type: 'TransferCompleted';
  readonly data: {
    readonly transfer: TransferTerms;
    readonly signature: string;
    readonly slot: number;
  };
}
/** Nothing has left, and nothing will. */
export interface TransferFailed {
  readonly type: 'TransferFailed';
  readonly data: {
    readonly transfer: TransferTerms;
    readonly reason: TransferFailureReason;
    /** Of the transaction that says so at finalized; null where none does. */
    readonly signature: string | null;
  };
}
/** Its marker is gone, and the rent is back where it came from. */
export interface MarkerReclaimed {
  readonly type: 'MarkerReclaimed';
  readonly data: { readonly transfer_id: string };
}

export type OutgoingTransferEvent =
  | TransferRequested
  | TransferSigned
  | TransferDropped
  | TransferCompleted
  | TransferFailed
  | MarkerReclaimed;

export interface Attempt extends SignedTransfer {
  /** False once the chain has shown that it moved nothing and never will. */
  readonly may_land: boolean;
}

export interface KnownTransfer {
  /** `processing` from the first signed transaction on, whatever is unknown of it. */
  readonly status: 'pending' | 'processing' | 'completed' | 'failed';
  readonly transfer: TransferTerms;
  /** All that were ever signed, oldest first; of these the last at most may land. */
  readonly attempts: readonly Attempt[];
  /** Of the transaction that decided; while none has, of the newest one. */
  readonly signature: string | null;
  readonly failure_reason: TransferFailureReason | null;
  readonly is_marker_reclaimed: boolean;
}
export type OutgoingTransfer = { readonly status: 'unknown' } | KnownTransfer;

export const UNKNOWN_TRANSFER: OutgoingTransfer = { status: 'unknown' };

/** The transaction that may land; null: none was signed, or none may land any more. */
export const openAttempt = ({ attempts }: Pick<KnownTransfer, 'attempts'>): Attempt | null =>
  attempts.find(({ may_land }) => may_land) ?? null;

/** Nothing more will happen to the money. */
export const hasEnded = ({ status }: Pick<KnownTransfer, 'status'>): boolean =>
  status === 'completed' || status === 'failed';

/** The fold. */
export function evolveTransfer(
  state: OutgoingTransfer,
  event: OutgoingTransferEvent,
): OutgoingTransfer {
  if (event.type === 'TransferRequested') return requested(event.data.transfer);
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'TransferSigned': {
      const { signed } = event.data;
      const attempts = [...state.attempts, { ...signed, may_land: true }];
      return { ...state, status: 'processing', attempts, signature: signed.signature };
    }
    case 'TransferDropped':
      return withClosed(state, event.data.signature);
    case 'TransferCompleted':
      return { ...state, status: 'completed', signature: event.data.signature };
    case 'TransferFailed': {
      const { reason: failure_reason, signature } = event.data;
      const closed = signature === null ? state : withClosed(state, signature);
      return { ...closed, status: 'failed', failure_reason };
    }
    case 'MarkerReclaimed':
      return { ...state, is_marker_reclaimed: true };
    default:
      return state;
  }
}

const requested = (transfer: TransferTerms): KnownTransfer => ({
  ...{ status: 'pending', transfer, attempts: [], signature: null, failure_reason: null },
  is_marker_reclaimed: false,
});

const withClosed = (state: KnownTransfer, signature: string): KnownTransfer => ({
  ...state,
  attempts: state.attempts.map((attempt) =>
    attempt.signature === signature ? { ...attempt, may_land: false } : attempt,
  ),
});
