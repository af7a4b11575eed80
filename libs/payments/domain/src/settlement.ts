import type { Confirmation, KnownPayment, PaymentSettled } from './payment';
import type { PaymentTerms } from './payment-terms';

/** Why the money of a settlement did not leave the operating wallet and never will (specification §2.9). */
export type SettlementFailureReason =
  | 'insufficient_balance'
  | 'destination_invalid'
  | 'signing_declined'
  | 'sanctions_hit';

export type SettlementStatusName = 'pending' | 'processing' | 'completed' | 'failed';

/** How the money of a payment comes from the operating wallet to the merchant's own. */
export interface Settlement {
  readonly settlement_id: string;
  readonly status: SettlementStatusName;
  /** From 1 on; each is a transfer of its own, begun when the one before has failed for good. */
  readonly attempt: number;
  /** Of the newest transaction that was signed for it. */
  readonly transaction_signature: string | null;
  readonly failure_reason: SettlementFailureReason | null;
}

/** What each of its events carries: a public event is made from one event alone. */
interface OfSettlement {
  readonly terms: PaymentTerms;
  readonly confirmation: Confirmation;
  readonly settlement_id: string;
  readonly attempt: number;
}

/** The money is to leave. */
export interface SettlementRequested {
  readonly type: 'SettlementRequested';
  readonly data: OfSettlement & { readonly requested_at: string };
}
/** A transaction of it was signed: it may land from now on. Another one may follow where it never does. */
export interface SettlementSent {
  readonly type: 'SettlementSent';
  readonly data: OfSettlement & { readonly transaction_signature: string };
}
/** Nothing has left, and nothing of this attempt will. */
export interface SettlementFailed {
  readonly type: 'SettlementFailed';
  readonly data: OfSettlement & {
    readonly reason: SettlementFailureReason;
    /** The transaction that failed on chain; null where none did. */
    readonly transaction_signature: string | null;
    readonly failed_at: string;
  };
}

export type SettlementEvent =
  | SettlementRequested
  | SettlementSent
  | PaymentSettled
  | SettlementFailed;

const SETTLEMENT_EVENTS: ReadonlySet<string> = new Set<SettlementEvent['type']>([
  'SettlementRequested',
  'SettlementSent',
  'PaymentSettled',
  'SettlementFailed',
]);

export const isOfSettlement = (event: { readonly type: string }): event is SettlementEvent =>
  SETTLEMENT_EVENTS.has(event.type);

/** The settlement right after this event, made from the event alone: of its row, and what is published. */
export function settlementAfter(event: SettlementEvent): Settlement {
  const { settlement_id } = event.data;
  if (event.type === 'PaymentSettled') {
    const { confirmation, transaction_signature, attempt = 1 } = event.data;
    return {
      ...{ settlement_id, status: 'completed', attempt, failure_reason: null },
      transaction_signature: transaction_signature ?? confirmation.transaction_signature,
    };
  }
  const { attempt } = event.data;
  const requested: Settlement = {
    ...{ settlement_id, status: 'pending', attempt },
    ...{ transaction_signature: null, failure_reason: null },
  };
  if (event.type === 'SettlementRequested') return requested;
  const { transaction_signature } = event.data;
  if (event.type === 'SettlementSent') {
    return { ...requested, status: 'processing', transaction_signature };
  }
  const { reason: failure_reason } = event.data;
  return { ...requested, status: 'failed', transaction_signature, failure_reason };
}

/** Null where none was requested. A payment straight to the merchant's wallet is settled by what confirms it. */
export function settlementOf({
  settlement,
  settlement_id,
  transaction_signature,
}: KnownPayment): Settlement | null {
  if (settlement) return settlement;
  if (settlement_id === null) return null;
  const ended = { status: 'completed', attempt: 1, failure_reason: null } as const;
  return { settlement_id, ...ended, transaction_signature };
}
