import type { Currency, Mode, Token } from '@tender/kernel';

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
  /** That is paid: the merchant’s own, or where the payment holds its operating wallet. */
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
  /** That it pays. */
  readonly payment_intent_id?: string;
  /** The money waits in the operating wallet until it is captured or canceled. */
  readonly hold?: HoldTerms;
  /** The customer is to say who they are before a transaction is built. */
  readonly collect_customer_info?: boolean;
  /** ISO 8601 with milliseconds, UTC: the order of the text is the order in time. */
  readonly created_at: string;
  readonly expires_at: string;
}

export interface HoldTerms {
  /** The merchant’s own wallet, as the roster of its operating wallet names it: captured money goes there. */
  readonly settlement_wallet: string;
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
