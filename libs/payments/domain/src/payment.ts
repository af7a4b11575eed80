import {
  checkoutOf,
  evolveCheckout,
  type Checkout,
  type TransactionBuilt,
  type TransactionSubmitted,
} from './checkout';
import type { HoldCanceled, HoldStateName } from './hold';
import type { PaymentTerms, SealedCustomer } from './payment-terms';
import {
  isOfSettlement,
  settlementAfter,
  type Settlement,
  type SettlementFailed,
  type SettlementRequested,
  type SettlementSent,
} from './settlement';

/** The one credit that paid. */
export interface Confirmation {
  readonly transaction_signature: string;
  /** Confirmations of before it was told lack it. */
  readonly slot?: number;
  readonly customer_wallet: string | null;
  /** The block’s time. */
  readonly confirmed_at: string;
  /** Base units, at least what was due. */
  readonly received: string;
}

/** Every later event carries the terms again: a public event is made from one event alone. */
export interface PaymentCreated {
  readonly type: 'PaymentCreated';
  readonly data: {
    readonly terms: PaymentTerms;
    readonly customer: SealedCustomer | null;
  };
}
export interface PaymentConfirmed {
  readonly type: 'PaymentConfirmed';
  readonly data: { readonly terms: PaymentTerms; readonly confirmation: Confirmation };
}
/** The money is in the merchant’s own wallet. */
export interface PaymentSettled {
  readonly type: 'PaymentSettled';
  readonly data: {
    readonly terms: PaymentTerms;
    readonly confirmation: Confirmation;
    readonly settlement_id: string;
    /** Of the transfer out of the operating wallet; missing where the confirmation itself has brought it there. */
    readonly transaction_signature?: string;
    readonly attempt?: number;
  };
}
export interface PaymentExpired {
  readonly type: 'PaymentExpired';
  readonly data: {
    readonly terms: PaymentTerms;
    /** The indexer has seen every block up to this time. */
    readonly watermark: string;
  };
}
export interface PaymentFailed {
  readonly type: 'PaymentFailed';
  readonly data: {
    readonly terms: PaymentTerms;
    readonly transaction_signature: string;
    /** Events of before have none. */
    readonly slot?: number;
    readonly customer_wallet: string | null;
    readonly reason: string;
  };
}
/** The customer has said who they are. */
export interface CustomerInfoCollected {
  readonly type: 'CustomerInfoCollected';
  readonly data: { readonly terms: PaymentTerms; readonly customer: SealedCustomer };
}

export type PaymentEvent =
  | PaymentCreated
  | TransactionBuilt
  | TransactionSubmitted
  | PaymentConfirmed
  | PaymentSettled
  | SettlementRequested
  | SettlementSent
  | SettlementFailed
  | HoldCanceled
  | PaymentExpired
  | PaymentFailed
  | CustomerInfoCollected;

export type PaymentStatusName = 'pending' | 'confirmed' | 'failed' | 'expired';

export interface KnownPayment {
  readonly status: PaymentStatusName;
  readonly terms: PaymentTerms;
  readonly transaction_signature: string | null;
  readonly confirmed_at: string | null;
  readonly customer_wallet: string | null;
  readonly settlement_id: string | null;
  /** Of a held payment, once it is paid: what its later events say again. */
  readonly confirmation?: Confirmation;
  /** The transfer to the merchant’s own wallet; a payment straight to that has none. */
  readonly settlement?: Settlement;
  readonly hold_canceled?: true;
  /** Absent until a transaction was built or handed in. */
  readonly checkout?: Checkout;
  /** Missing while no customer is known. Never published, so `paymentAfter` may lack it. */
  readonly customer?: SealedCustomer;
}
export type Payment = { readonly status: 'unknown' } | KnownPayment;

export const UNKNOWN_PAYMENT: Payment = { status: 'unknown' };

/** The fold: of the decider, of the row and of a GET by id alike (P4). */
export function evolvePayment(state: Payment, event: PaymentEvent): Payment {
  if (event.type === 'PaymentCreated') {
    const { terms, customer } = event.data;
    return customer ? { ...pendingPayment(terms), customer } : pendingPayment(terms);
  }
  if (state.status === 'unknown') return state;
  if (event.type === 'PaymentConfirmed') {
    return confirmedPayment(state, event.data.confirmation);
  }
  if (event.type === 'PaymentSettled' && event.data.transaction_signature === undefined) {
    return { ...state, settlement_id: event.data.settlement_id };
  }
  if (isOfSettlement(event)) {
    const { settlement_id } = event.data;
    return { ...state, settlement_id, settlement: settlementAfter(event) };
  }
  if (event.type === 'HoldCanceled') return { ...state, hold_canceled: true };
  if (event.type === 'TransactionBuilt' || event.type === 'TransactionSubmitted') {
    return { ...state, checkout: evolveCheckout(checkoutOf(state), event) };
  }
  if (event.type === 'PaymentExpired') return { ...state, status: 'expired' };
  if (event.type === 'PaymentFailed') return { ...state, status: 'failed' };
  if (event.type === 'CustomerInfoCollected') return { ...state, customer: event.data.customer };
  return state;
}

function confirmedPayment(state: KnownPayment, confirmation: Confirmation): KnownPayment {
  const { transaction_signature, customer_wallet, confirmed_at } = confirmation;
  const paid = { transaction_signature, customer_wallet, confirmed_at };
  const kept = state.terms.hold ? { confirmation } : {};
  return { ...state, status: 'confirmed', ...paid, ...kept };
}

function pendingPayment(terms: PaymentTerms): KnownPayment {
  return {
    status: 'pending',
    terms,
    transaction_signature: null,
    confirmed_at: null,
    customer_wallet: null,
    settlement_id: null,
  };
}

/** The customer must still say who they are before a transaction may be built. */
export const lacksCustomerInfo = ({ terms, customer }: KnownPayment): boolean =>
  terms.collect_customer_info === true && customer?.info_sealed === undefined;

/** The payment right after this event, made from the event alone: what is published. */
export function paymentAfter(event: PaymentEvent): KnownPayment {
  const { terms } = event.data;
  const pending = pendingPayment(terms);
  if (event.type === 'PaymentConfirmed' || !('confirmation' in event.data)) {
    return evolvePayment(pending, event) as KnownPayment;
  }
  return evolvePayment(confirmedPayment(pending, event.data.confirmation), event) as KnownPayment;
}

/** Where the money of a payment that holds is; `held`, too, until it comes. */
export function holdStateOf({ terms, hold_canceled, settlement }: KnownPayment): HoldStateName {
  if (!terms.hold) return 'none';
  if (hold_canceled) return 'canceled';
  if (!settlement) return 'held';
  return settlement.status === 'completed' ? 'captured' : 'capturing';
}
