import type { ChainTransaction, DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import { paymentMessage } from '@tender/transactions';
import { someAddress } from '@tender/transactions/testing';
import type { SponsoredOutcome } from '@tender/treasury-domain';
import recorded from '../../../domain/src/recorded/sponsorship-v1.json';
import { sponsorInvariants } from './sponsor-invariants';

const ID = 'pay_test_0000000000000000000042';
const SPONSOR = someAddress(1);
const message = paymentMessage({
  ...{ customer: someAddress(2), fee_payer: SPONSOR, recipient: someAddress(3) },
  ...{ reference: someAddress(4), recent_blockhash: someAddress(5), amount: 1n },
  token: {
    ...{ mint: someAddress(6), decimals: 6, source: someAddress(7), destination: someAddress(8) },
    create_destination: false,
  },
  compute: { unit_limit: 60_000, unit_price: 0n },
});
/** Two signatures, no priority. */
const FEE = 10_000n;

const [offered] = recorded.events;
const offer = { ...offered!.data.offer, fee_payer: SPONSOR, creates_destination: false };
const signedAs = (transaction_signature: string): DomainEvent => ({
  type: 'SponsoredTransactionSigned',
  data: {
    offer,
    signed: {
      message: Buffer.from(message).toString('base64'),
      ...{ message_hash: `hash of ${transaction_signature}`, customer_signature: 'c' },
      transaction_signature,
    },
  },
});
const ended = (transaction_signature: string, outcome: SponsoredOutcome): DomainEvent => ({
  type: 'SponsoredTransactionEnded',
  data: { payment_id: ID, transaction_signature, outcome },
});
const row = (signature: string, lamports: bigint, has_ended = false) => ({
  ...{ payment_id: ID, message_hash: `hash of ${signature}`, lamports: lamports.toString() },
  has_ended,
});

/** The chain shows what each of these transactions has cost the sponsor. */
const chainThatTook = (lamports: Readonly<Record<string, bigint>>) => {
  const transaction = async (signature: string) => {
    const taken = lamports[signature];
    if (taken === undefined) return null;
    const of = { account: SPONSOR, owner: SPONSOR, mint: null, token_program: null };
    const own = { ...of, delta: -taken };
    return { signature, changes: [own] } as unknown as ChainTransaction;
  };
  const chain = { transaction, mints: { USDC: 'usdc', USDT: 'usdt' } };
  return { test: chain, live: chain };
};

const found = (
  events: readonly DomainEvent[],
  rows: readonly object[] = [],
  took: Readonly<Record<string, bigint>> = {},
) =>
  findingsOf(sponsorInvariants, {
    objects: [checkedObject(`sponsorship.test-${ID}`, [offered!, ...events])],
    rows,
    chains: chainThatTook(took),
  });

test('what is booked, lands, fails or is dropped breaks nothing', async () => {
  expect(await found([])).toEqual([]);
  expect(await found([signedAs('s1')], [row('s1', FEE)])).toEqual([]);
  expect(await found([signedAs('s1')], [row('s1', 0n, true)])).toEqual([]);
  expect(await found([signedAs('s1'), ended('s1', 'landed')], [], { s1: FEE })).toEqual([]);
  const again = [signedAs('s1'), ended('s1', 'dropped'), signedAs('s2'), ended('s2', 'failed')];
  expect(await found(again, [], { s2: FEE })).toEqual([]);
});

test('G2: the chain took more than was booked', async () => {
  const events = [signedAs('s1'), ended('s1', 'landed')];
  expect(await found(events, [], { s1: FEE + 1n })).toEqual([
    'G2: s1 has cost 10001 lamports, 10000 were booked',
  ]);
});

test('G2: what was taken for dropped is on the chain', async () => {
  expect(await found([signedAs('s1'), ended('s1', 'dropped')], [], { s1: FEE })).toEqual([
    'G2: s1 is on the chain and was taken for dropped',
  ]);
});

test('G2: signed and not booked, or booked for less', async () => {
  expect(await found([signedAs('s1')])).toEqual(['G2: s1 is signed and not booked']);
  expect(await found([signedAs('s1')], [row('s1', FEE - 1n)])).toEqual([
    'G2: s1 may cost 10000 lamports, 9999 are booked',
  ]);
});

test('G3: two that may land at a time, and one after another that has landed', async () => {
  const rows = [row('s1', FEE), row('s2', FEE)];
  expect(await found([signedAs('s1'), signedAs('s2')], rows)).toEqual(['G3: s2 is signed beside s1']);
  const events = [signedAs('s1'), ended('s1', 'landed'), signedAs('s2')];
  expect(await found(events, rows, { s1: FEE })).toEqual(['G3: s2 is signed beside s1']);
});
