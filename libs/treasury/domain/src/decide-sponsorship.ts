import { accept, refuse, type Decider } from '@tender/kernel';
import {
  evolveSponsorship,
  UNKNOWN_SPONSORSHIP,
  type Offer,
  type SignedTransaction,
  type SponsoredOutcome,
  type Sponsorship,
  type SponsorshipEvent,
} from './sponsorship';

export interface OfferSponsorship {
  readonly type: 'OfferSponsorship';
  readonly offer: Offer;
}
export interface WithdrawSponsorship {
  readonly type: 'WithdrawSponsorship';
  readonly payment_id: string;
}
export interface SignSponsored {
  readonly type: 'SignSponsored';
  /** The offer that the guard compared the transaction with. */
  readonly message_hash: string;
  readonly signed: SignedTransaction;
}
export interface EndSponsored {
  readonly type: 'EndSponsored';
  readonly payment_id: string;
  readonly transaction_signature: string;
  readonly outcome: SponsoredOutcome;
}

/** One transaction at a time may land for a payment, and none after one that did. */
const mayLand = (state: Sponsorship): boolean =>
  state.status === 'in_flight' || state.status === 'landed';

function offerSponsorship({ offer }: OfferSponsorship, state: Sponsorship) {
  if (mayLand(state)) return refuse('submission_in_flight');
  // For good: who has withdrawn it may have built another transaction, and both would land.
  if (state.status === 'withdrawn' && state.offer.message_hash === offer.message_hash) {
    return refuse('offer_withdrawn');
  }
  return accept<SponsorshipEvent>({ type: 'SponsorshipOffered', data: { offer } });
}

function withdrawSponsorship({ payment_id }: WithdrawSponsorship, state: Sponsorship) {
  if (mayLand(state)) return refuse('submission_in_flight');
  if (state.status !== 'offered') return accept<SponsorshipEvent>();
  return accept<SponsorshipEvent>({ type: 'SponsorshipWithdrawn', data: { payment_id } });
}

function signSponsored({ message_hash, signed }: SignSponsored, state: Sponsorship) {
  if (state.status === 'unknown') return refuse('not_offered');
  if (state.signed?.transaction_signature === signed.transaction_signature) {
    return accept<SponsorshipEvent>();
  }
  if (mayLand(state)) return refuse('submission_in_flight');
  // An offer serves for one transaction; a newer one has replaced it.
  if (state.status !== 'offered' || state.offer.message_hash !== message_hash) {
    return refuse('not_offered');
  }
  const { offer } = state;
  return accept<SponsorshipEvent>({ type: 'SponsoredTransactionSigned', data: { offer, signed } });
}

function endSponsored(
  { payment_id, transaction_signature, outcome }: EndSponsored,
  state: Sponsorship,
) {
  const ends =
    state.status === 'in_flight' && state.signed?.transaction_signature === transaction_signature;
  if (!ends) return accept<SponsorshipEvent>();
  return accept<SponsorshipEvent>({
    type: 'SponsoredTransactionEnded',
    data: { payment_id, transaction_signature, outcome },
  });
}

/** The rules of one payment’s sponsored transactions. */
export const sponsorshipDecider = {
  initial: UNKNOWN_SPONSORSHIP,
  evolve: evolveSponsorship,
  decide: {
    OfferSponsorship: offerSponsorship,
    WithdrawSponsorship: withdrawSponsorship,
    SignSponsored: signSponsored,
    EndSponsored: endSponsored,
  },
} satisfies Decider<Sponsorship, SponsorshipEvent>;
