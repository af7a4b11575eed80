/** By what a charge is paid, once payments has opened it. */
export interface OpenedCharge {
  readonly payment_link_id: string;
  /** Null where the customer begins the payment, by the link. */
  readonly payment_id: string | null;
  readonly payment_url: string;
}

/** How the time of a charge ended: in a pause that is no failure. */
export interface ChargeEnd {
  readonly ended_at: string;
  readonly in_pause: boolean;
}

/** The money of a period, an installment or an invoice: the first payment that was confirmed for it. */
export interface PaidBy {
  readonly payment_id: string;
  /** When it was confirmed. ISO 8601 with milliseconds, UTC. */
  readonly paid_at: string;
}

/** In what language a customer is written to. */
export type Locale = 'en' | 'fr';

/** Who is written to, sealed under a key of their own (E11). */
export interface SealedRecipient {
  readonly subject_id: string;
  readonly email_sealed: string;
  readonly name_sealed?: string;
}
