/** What treasury has offered to pay the fee of: one message, as it was built. */
export interface Offer {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly customer_wallet: string;
  /** Where the money comes from: the customer’s token account, or the wallet for SOL. */
  readonly source_account: string;
  /** Where it goes to. */
  readonly destination_account: string;
  /** The destination is missing: the sponsor pays for making it. */
  readonly creates_destination: boolean;
  readonly fee_payer: string;
  /** The exact bytes, base64. */
  readonly message: string;
  /** SHA-256 of these bytes, hex. */
  readonly message_hash: string;
  readonly recent_blockhash: string;
  readonly last_valid_block_height: number;
  /** Where the node stood that gave the blockhash. */
  readonly slot: number;
  /** Of the payment. */
  readonly expires_at: string;
}

/** What the customer has signed and the sponsor is about to send: with these, its bytes can be made again. */
export interface SignedTransaction {
  /** Base64. */
  readonly message: string;
  /** SHA-256 of the message, hex. */
  readonly message_hash: string;
  /** Base64. */
  readonly customer_signature: string;
  /** The sponsor’s, base58: what the chain knows the transaction by. */
  readonly transaction_signature: string;
}

/** What became of a transaction: it did what it is for; it failed and cost its fee; it can never land any more. */
export type SponsoredOutcome = 'landed' | 'failed' | 'dropped';

export interface SponsorshipOffered {
  readonly type: 'SponsorshipOffered';
  readonly data: { readonly offer: Offer };
}
/** Recorded before the transaction is sent: from here on it may land. */
export interface SponsoredTransactionSigned {
  readonly type: 'SponsoredTransactionSigned';
  readonly data: { readonly offer: Offer; readonly signed: SignedTransaction };
}
/** The customer pays the fee instead: the offer is signed no more. */
export interface SponsorshipWithdrawn {
  readonly type: 'SponsorshipWithdrawn';
  readonly data: { readonly payment_id: string };
}
export interface SponsoredTransactionEnded {
  readonly type: 'SponsoredTransactionEnded';
  readonly data: {
    readonly payment_id: string;
    readonly transaction_signature: string;
    readonly outcome: SponsoredOutcome;
  };
}

export type SponsorshipEvent =
  | SponsorshipOffered
  | SponsorshipWithdrawn
  | SponsoredTransactionSigned
  | SponsoredTransactionEnded;

export interface KnownSponsorship {
  readonly status: 'offered' | 'withdrawn' | 'in_flight' | SponsoredOutcome;
  /** The newest one. */
  readonly offer: Offer;
  /** The newest one; null while nothing was signed. */
  readonly signed: SignedTransaction | null;
}
export type Sponsorship = { readonly status: 'unknown' } | KnownSponsorship;

export const UNKNOWN_SPONSORSHIP: Sponsorship = { status: 'unknown' };

/** The fold. */
export function evolveSponsorship(state: Sponsorship, event: SponsorshipEvent): Sponsorship {
  switch (event.type) {
    case 'SponsorshipOffered': {
      const signed = state.status === 'unknown' ? null : state.signed;
      return { status: 'offered', offer: event.data.offer, signed };
    }
    case 'SponsorshipWithdrawn':
      return state.status === 'unknown' ? state : { ...state, status: 'withdrawn' };
    case 'SponsoredTransactionSigned':
      return { status: 'in_flight', ...event.data };
    case 'SponsoredTransactionEnded':
      return state.status === 'unknown' ? state : { ...state, status: event.data.outcome };
    default:
      return state;
  }
}
