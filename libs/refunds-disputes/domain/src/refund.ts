import type { Mode, Token } from '@tender/kernel';

/** Who wanted it. */
export type RefundInitiator = 'merchant' | 'admin' | 'system';

/** Why the money of a refund did not leave and never will (specification §2.9). */
export type RefundFailureReason =
  | 'insufficient_balance'
  | 'destination_invalid'
  | 'signing_declined'
  | 'sanctions_hit';

export type RefundStatusName = 'pending' | 'processing' | 'completed' | 'failed';

/** What is to go back, and to whom: fixed when it is initiated. */
export interface RefundTerms {
  readonly refund_id: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly amount_usd_cents: string;
  readonly token: Token;
  /** Base units of the token. */
  readonly token_amount: string;
  /** The wallet that paid. */
  readonly customer_wallet: string;
  /** The transaction that brought the money. */
  readonly paid_by: string;
  /** What the whole payment was: no refunds of it are more together (M1). */
  readonly payment_usd_cents: string;
  readonly payment_token_amount: string;
  /** Under whose key `customer_email_sealed` is sealed; both null where the payment knows no e-mail. */
  readonly customer_subject: string | null;
  readonly customer_email_sealed: string | null;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly initiated_by: RefundInitiator;
  /** The dispute that it resolves. */
  readonly dispute_id: string | null;
  /** It sends back what a hold that was canceled has held. */
  readonly of_canceled_hold: boolean;
  /** The payment’s own webhook URL. */
  readonly webhook_url: string | null;
  /** ISO 8601 with milliseconds, UTC, business time. */
  readonly created_at: string;
  readonly estimated_completion: string;
}

/** A refund as a fold of what happened to it. */
export interface Refund {
  readonly status: RefundStatusName;
  readonly terms: RefundTerms;
  /** Of the newest transaction that was signed for it. */
  readonly transaction_signature: string | null;
  readonly failure_reason: RefundFailureReason | null;
  /** When it was completed. */
  readonly completed_at: string | null;
}

export interface RefundInitiated {
  readonly type: 'RefundInitiated';
  readonly data: { readonly refund: RefundTerms };
}
/** A transaction of it was signed: it may land from now on. Another one may follow where it never does. */
export interface RefundSent {
  readonly type: 'RefundSent';
  readonly data: { readonly refund: RefundTerms; readonly transaction_signature: string };
}
/** The money is back, at finalized. */
export interface RefundCompleted {
  readonly type: 'RefundCompleted';
  readonly data: {
    readonly refund: RefundTerms;
    readonly transaction_signature: string;
    readonly completed_at: string;
  };
}
/** Nothing has left, and nothing will: its part of the payment can be refunded again. */
export interface RefundFailed {
  readonly type: 'RefundFailed';
  readonly data: {
    readonly refund: RefundTerms;
    readonly reason: RefundFailureReason;
    readonly transaction_signature: string | null;
    readonly failed_at: string;
  };
}

export type RefundEvent = RefundInitiated | RefundSent | RefundCompleted | RefundFailed;

/** It may still move money. */
export const isUnderWay = ({ status }: Pick<Refund, 'status'>): boolean =>
  status === 'pending' || status === 'processing';

/** The refund right after this event, made from the event alone: what is published. */
export function refundAfter(event: RefundEvent): Refund {
  const { refund: terms } = event.data;
  const begun: Refund = {
    ...{ status: 'pending', terms, transaction_signature: null },
    ...{ failure_reason: null, completed_at: null },
  };
  if (event.type === 'RefundInitiated') return begun;
  const { transaction_signature } = event.data;
  switch (event.type) {
    case 'RefundSent':
      return { ...begun, status: 'processing', transaction_signature };
    case 'RefundCompleted': {
      const { completed_at } = event.data;
      return { ...begun, status: 'completed', transaction_signature, completed_at };
    }
    case 'RefundFailed': {
      const { reason: failure_reason } = event.data;
      return { ...begun, status: 'failed', transaction_signature, failure_reason };
    }
  }
}
