import { call, commandCall, type Currency, type Mode, type Token } from '@tender/kernel';
import type { Customer } from './customer';
import { newId, uuidIds } from './object-ids';
import type { PaymentSnapshot } from './payments.facts';

/** What another context wants paid. */
export interface Claim {
  readonly merchant_id: string;
  /** In `currency`. */
  readonly amount: number;
  readonly currency?: Currency;
  readonly token?: Token;
  readonly description?: string;
  readonly metadata?: Record<string, unknown>;
  readonly customer?: Customer;
}

export interface PaymentClaim extends Claim {
  /** ISO 8601, ahead. */
  readonly expires_at: string;
}

export interface OpenedPayment {
  readonly payment_id: string;
  readonly payment_url: string;
  readonly expires_at: string;
}

export interface LinkClaim extends Claim {
  readonly max_uses?: number;
  /** Checkout asks for the customer’s details. */
  readonly collect_customer_info?: boolean;
  readonly expires_at?: string;
  /** When its payments expire; without it after the lifetime that payments have. */
  readonly payments_expire_at?: string;
  /** A customer who pays gets its open payment, and never a second one; it has one use then. */
  readonly is_for_one_thing?: boolean;
}

/** Why payments does not take a claim. `invalid_parameter` has the `fields` at fault in its details. */
export type ClaimRefusal =
  'wallet_not_ready' | 'amount_too_large' | 'payment_blocked' | 'invalid_parameter';

/** payments: a payment that lives until the time that its caller sets. The command id makes its id. */
export const openPayment = commandCall<PaymentClaim, OpenedPayment, ClaimRefusal>('payments.open-payment', {
  deadline_ms: 5_000,
  answered_by: 'any',
});

export interface OpenedPaymentLink {
  readonly payment_link_id: string;
  readonly link_code: string;
  readonly hosted_page_url: string;
}

/** payments: a link of another context’s making. The command id makes its id. */
export const openPaymentLink = commandCall<LinkClaim, OpenedPaymentLink, ClaimRefusal>(
  'payments.open-payment-link',
  { deadline_ms: 5_000, answered_by: 'any' },
);

interface IdBytes {
  idBytes(scope: string): Uint8Array;
}

/** Of what a command opens, the ids derive from this. The key is one for all services. */
export const seedOfCall = (
  keyRing: IdBytes,
  { merchant_id }: Pick<Claim, 'merchant_id'>,
  command_id: string,
): Uint8Array => keyRing.idBytes(`call|${merchant_id}|${command_id}`).subarray(0, 16);

/** The id of the link that a command opens. Noted before it is asked for, what pays by it is known in any case. */
export const openedLinkId = (
  keyRing: IdBytes,
  mode: Mode,
  claim: Pick<Claim, 'merchant_id'>,
  command_id: string,
): string => newId(uuidIds, mode, seedOfCall(keyRing, claim, command_id));

export interface ClosedPaymentLink {
  readonly payment_link_id: string;
  /**
   * Whether a payment of a link that stands for one thing is confirmed, or may yet be: a pending one may have been paid
   * in a block that nothing has seen so far. Once false it stays so. Of other links nothing is known: true.
   */
  readonly may_be_paid: boolean;
}

/** payments: it makes no more payments; those that it has made go on. Closed twice, it is closed. */
export const closePaymentLink = commandCall<
  { readonly payment_link_id: string; readonly merchant_id: string },
  ClosedPaymentLink,
  'payment_link_not_found'
>('payments.close-payment-link', { deadline_ms: 5_000, answered_by: 'any' });

/**
 * Where the money of a held payment is in its course (`capture_method: manual`, specification §2.8). `none`: it is not
 * a payment that holds. `capturing`: its settlement has not ended well yet.
 */
export type HoldState = 'none' | 'held' | 'capturing' | 'captured' | 'canceled';

/** A payment, with what refunds and disputes need beyond what its merchant is answered. */
export interface InspectedPayment {
  readonly payment: Required<PaymentSnapshot>;
  /** USD cents. */
  readonly amount_usd_cents: string;
  /** The payment’s own, which takes the place of the merchant’s. */
  readonly webhook_url: string | null;
  /** Sealed, as the payment has it; null while no e-mail is known. */
  readonly customer: { readonly subject_id: string; readonly email_sealed: string } | null;
  readonly hold: HoldState;
}

/** payments: one as its stream has it now; null where there is none, or the id tells another mode. */
export const inspectPayment = call<{ payment_id: string }, InspectedPayment | null>(
  'payments.inspect-payment',
);
