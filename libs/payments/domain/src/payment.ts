import type { Currency, Mode, Token } from '@tender/kernel';
import {
  checkoutOf,
  evolveCheckout,
  type Checkout,
  type TransactionBuilt,
  type TransactionSubmitted,
} from './checkout';

/** A rate that went into a price, as it was at that moment (specification §2.3). */
export interface Quote {
  readonly symbol: 'EUR' | 'GBP' | 'SOL';
  /** USD for one unit, exact decimal text. */
  readonly rate: string;
  readonly source: string;
  readonly as_of: string;
}

/** What a payment is about: fixed when it is created. Money is text of whole minor or base units. */
export interface PaymentTerms {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  /** Minor units of `currency`. */
  readonly amount_minor: string;
  readonly currency: Currency;
  readonly amount_usd_cents: string;
  readonly quotes: readonly Quote[];
  readonly token: Token;
  /** Due, base units. */
  readonly token_amount: string;
  /** Null for SOL. */
  readonly token_mint: string | null;
  readonly wallet_address: string;
  /** Base58 of 32 bytes: what a transfer names this payment by. */
  readonly reference: string;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Takes the place of the merchant’s. */
  readonly webhook_url: string | null;
  readonly payment_url: string;
  /** The shop’s own name for the order; not unique. */
  readonly external_id?: string;
  /** Where the shop wants its customer to go after paying, and after giving up. */
  readonly return_url?: string;
  readonly cancel_url?: string;
  /** That it was made from. */
  readonly link?: LinkOfPayment;
  /** The customer is to say who they are before a transaction is built. */
  readonly collect_customer_info?: boolean;
  /** ISO 8601 with milliseconds, UTC: the order of the text is the order in time. */
  readonly created_at: string;
  readonly expires_at: string;
}

export interface LinkOfPayment {
  readonly payment_link_id: string;
  readonly link_code: string;
}

/** A customer, sealed under a key of its own (E11). */
export interface SealedCustomer {
  readonly subject_id: string;
  readonly email_sealed: string;
  /** The whole customer as JSON; missing while only the e-mail is known. */
  readonly info_sealed?: string;
}

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
export interface PaymentSettled {
  readonly type: 'PaymentSettled';
  readonly data: {
    readonly terms: PaymentTerms;
    readonly confirmation: Confirmation;
    readonly settlement_id: string;
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
    const { transaction_signature, customer_wallet, confirmed_at } = event.data.confirmation;
    return { ...state, status: 'confirmed', transaction_signature, customer_wallet, confirmed_at };
  }
  if (event.type === 'PaymentSettled') {
    return { ...state, settlement_id: event.data.settlement_id };
  }
  if (event.type === 'TransactionBuilt' || event.type === 'TransactionSubmitted') {
    return { ...state, checkout: evolveCheckout(checkoutOf(state), event) };
  }
  if (event.type === 'PaymentExpired') return { ...state, status: 'expired' };
  if (event.type === 'PaymentFailed') return { ...state, status: 'failed' };
  if (event.type === 'CustomerInfoCollected') return { ...state, customer: event.data.customer };
  return state;
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
  const before: Payment =
    event.type === 'PaymentSettled'
      ? evolvePayment(pending, {
          type: 'PaymentConfirmed',
          data: { terms, confirmation: event.data.confirmation },
        })
      : pending;
  return evolvePayment(before, event) as KnownPayment;
}
