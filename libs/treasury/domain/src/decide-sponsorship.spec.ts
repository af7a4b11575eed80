import { decide } from '@tender/kernel';
import { sponsorshipDecider } from './decide-sponsorship';
import history from './recorded/sponsorship-v1.json';
import type {
  Offer,
  SignedTransaction,
  SponsoredOutcome,
  Sponsorship,
  SponsorshipEvent,
} from './sponsorship';

const offer: Offer = {
  payment_id: 'pay_test_1',
  merchant_id: 'm1',
  customer_wallet: 'ada',
  source_account: 'ada/usdc',
  destination_account: 'shop/usdc',
  creates_destination: false,
  fee_payer: 'sponsor',
  message: 'bWVzc2FnZQ==',
  message_hash: 'h1',
  recent_blockhash: 'b1',
  last_valid_block_height: 150,
  slot: 7,
  expires_at: '2026-01-01T00:15:00.000Z',
};
const signed: SignedTransaction = {
  message: offer.message,
  message_hash: 'h1',
  customer_signature: 'c2ln',
  transaction_signature: 's1',
};
const other = { ...signed, transaction_signature: 's2' };

const offered: SponsorshipEvent = { type: 'SponsorshipOffered', data: { offer } };
const inFlight: SponsorshipEvent = { type: 'SponsoredTransactionSigned', data: { offer, signed } };
const ended = (outcome: SponsoredOutcome): SponsorshipEvent => ({
  type: 'SponsoredTransactionEnded',
  data: { payment_id: offer.payment_id, transaction_signature: 's1', outcome },
});
const after = (...events: SponsorshipEvent[]): Sponsorship =>
  events.reduce(sponsorshipDecider.evolve, sponsorshipDecider.initial);

const offering = (state: Sponsorship, one = offer) =>
  decide(sponsorshipDecider, { type: 'OfferSponsorship', offer: one }, state);
const signing = (state: Sponsorship, one = signed, message_hash = 'h1') =>
  decide(sponsorshipDecider, { type: 'SignSponsored', message_hash, signed: one }, state);
const ending = (state: Sponsorship, transaction_signature = 's1') =>
  decide(
    sponsorshipDecider,
    { type: 'EndSponsored', payment_id: 'pay_test_1', transaction_signature, outcome: 'landed' },
    state,
  );
const IN_FLIGHT = { ok: false, refusal: 'submission_in_flight' };
const NOT_OFFERED = { ok: false, refusal: 'not_offered' };
const NOTHING = { ok: true, events: [] };

test('an offer is made where no transaction of the payment may land', () => {
  const made = { ok: true, events: [offered] };
  for (const state of [after(), after(offered), after(offered, inFlight, ended('dropped'))]) {
    expect(offering(state)).toEqual(made);
  }
  expect(offering(after(offered, inFlight, ended('failed')))).toEqual(made);
  expect(offering(after(offered, inFlight))).toEqual(IN_FLIGHT);
  expect(offering(after(offered, inFlight, ended('landed')))).toEqual(IN_FLIGHT);
});

test('what was offered is signed once, and the same again is the same', () => {
  expect(signing(after())).toEqual(NOT_OFFERED);
  expect(signing(after(offered))).toEqual({ ok: true, events: [inFlight] });
  expect(signing(after(offered, inFlight))).toEqual(NOTHING);
  expect(signing(after(offered, inFlight, ended('landed')))).toEqual(NOTHING);
});

test('another transaction is refused while one may land', () => {
  expect(signing(after(offered, inFlight), other)).toEqual(IN_FLIGHT);
  expect(signing(after(offered, inFlight, ended('landed')), other)).toEqual(IN_FLIGHT);
});

test('an offer serves for one transaction, and only the newest one serves', () => {
  for (const outcome of ['failed', 'dropped'] as const) {
    expect(signing(after(offered, inFlight, ended(outcome)), other)).toEqual(NOT_OFFERED);
    const again = after(offered, inFlight, ended(outcome), offered);
    expect(signing(again, other)).toMatchObject({
      ok: true,
      events: [{ data: { signed: other } }],
    });
  }
  expect(signing(after(offered), signed, 'h0')).toEqual(NOT_OFFERED);
});

test('what was withdrawn is neither signed nor offered again, another message is', () => {
  const withdraw = { type: 'WithdrawSponsorship', payment_id: 'pay_test_1' } as const;
  const withdrawing = (state: Sponsorship) => decide(sponsorshipDecider, withdraw, state);
  const withdrawn: SponsorshipEvent = {
    type: 'SponsorshipWithdrawn',
    data: { payment_id: 'pay_test_1' },
  };
  expect(withdrawing(after(offered))).toEqual({ ok: true, events: [withdrawn] });
  expect(signing(after(offered, withdrawn))).toEqual(NOT_OFFERED);
  expect(withdrawing(after(offered, withdrawn))).toEqual(NOTHING);
  expect(withdrawing(after(offered, inFlight))).toEqual(IN_FLIGHT);
  expect(withdrawing(after(offered, inFlight, ended('landed')))).toEqual(IN_FLIGHT);
  expect(withdrawing(after(offered, inFlight, ended('dropped')))).toEqual(NOTHING);
  expect(offering(after(offered, withdrawn))).toEqual({ ok: false, refusal: 'offer_withdrawn' });
  const another = { ...offer, message_hash: 'h2' };
  expect(offering(after(offered, withdrawn), another)).toMatchObject({ ok: true });
});

test('only what is in flight ends, and once', () => {
  expect(ending(after(offered, inFlight))).toEqual({ ok: true, events: [ended('landed')] });
  expect(ending(after(offered, inFlight), 's2')).toEqual(NOTHING);
  expect(ending(after(offered, inFlight, ended('dropped')))).toEqual(NOTHING);
  expect(ending(after(offered))).toEqual(NOTHING);
});

test('a recorded history of version 1 folds as it did', () => {
  const events = history.events as SponsorshipEvent[];
  expect(after(...events)).toEqual(history.state);
});
