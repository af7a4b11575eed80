import type { BalanceChange, ChainTransaction, DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import { base64, markerOf, outgoingMessage, transactionBytes } from '@tender/transactions';
import { someAddress } from '@tender/transactions/testing';
import type { TransferTerms } from '@tender/treasury-domain';
import { transferInvariants } from './transfer-invariants';

const WALLET = someAddress(1);
const TO = someAddress(2);
const transfer: TransferTerms = {
  ...{ transfer_id: 'rf_test_0000000000000000000042', mode: 'test', type: 'refund' },
  ...{ merchant_id: 'm1', from: WALLET, to: TO, asset: 'USDC', amount: '25', credit: 'C1' },
};
const wireFor = (transfer_id: string): string =>
  base64(
    transactionBytes(
      outgoingMessage({
        ...{ wallet: WALLET, fee_payer: someAddress(3), to: TO, amount: 25n, token: null },
        ...{ marker: markerOf(WALLET, transfer_id), recent_blockhash: someAddress(5) },
        compute: { unit_limit: 60_000, unit_price: 0n },
      }),
    ),
  );

const requested: DomainEvent = { type: 'TransferRequested', data: { transfer } };
const signed = (signature: string, transfer_id = transfer.transfer_id): DomainEvent => ({
  type: 'TransferSigned',
  data: {
    transfer,
    signed: {
      ...{ transaction: wireFor(transfer_id), signature },
      ...{ recent_blockhash: someAddress(5), last_valid_block_height: 1 },
    },
  },
});
const dropped = (signature: string): DomainEvent => ({
  type: 'TransferDropped',
  data: { transfer_id: transfer.transfer_id, signature, proof: {} },
});
const completed = (signature: string): DomainEvent => ({
  type: 'TransferCompleted',
  data: { transfer, signature, slot: 1 },
});
const failed: DomainEvent = {
  type: 'TransferFailed',
  data: { transfer, reason: 'insufficient_balance', signature: null },
};

const change = (owner: string, delta: bigint): BalanceChange => ({
  ...{ account: `account of ${owner}`, owner, mint: 'usdc', token_program: 'token', delta },
});
/** By signature: how much came to the receiver, `null` for a transaction that failed. */
type Moved = Readonly<Record<string, bigint | null>>;

function chainOf(moved: Moved, credit: bigint) {
  const transaction = async (signature: string) => {
    if (signature === 'C1') {
      const changes = [change(WALLET, credit)];
      return { signature, failed: false, changes } as unknown as ChainTransaction;
    }
    const came = moved[signature];
    if (came === undefined) return null;
    const changes = came === null ? [] : [change(TO, came), change(WALLET, -came)];
    return { signature, failed: came === null, changes } as unknown as ChainTransaction;
  };
  const chain = { transaction, mints: { USDC: 'usdc', USDT: 'usdt' } };
  return { test: chain, live: chain };
}

interface World {
  readonly moved?: Moved;
  /** Of the credit: what it brought, and what all its refunds take. */
  readonly credit?: bigint;
  readonly refunded?: bigint;
}

const found = (
  events: readonly DomainEvent[],
  { moved = {}, credit = 100n, refunded = 25n }: World = {},
) =>
  findingsOf(transferInvariants, {
    objects: [checkedObject(`outgoingtransfer.test-${transfer.transfer_id}`, [requested, ...events])],
    rows: [{ ...transfer, refunded: refunded.toString() }],
    chains: chainOf(moved, credit),
  });

test('a transfer that waits, is sent, sent again, completed or failed breaks nothing', async () => {
  expect(await found([])).toEqual([]);
  expect(await found([failed])).toEqual([]);
  expect(await found([signed('s1')], { moved: { s1: 25n } })).toEqual([]);
  const again = [signed('s1'), dropped('s1'), signed('s2')];
  expect(await found([...again, completed('s2')], { moved: { s2: 25n } })).toEqual([]);
  expect(await found([...again, completed('s2')], { moved: { s1: null, s2: 25n } })).toEqual([]);
  expect(await found([...again, dropped('s2'), failed], { moved: { s1: null } })).toEqual([]);
  // A chain that forgets says nothing.
  expect(await found([signed('s1'), completed('s1')])).toEqual([]);
});

test('T1: a transaction with the marker of another transfer', async () => {
  expect(await found([signed('s1', 'rf_test_other')])).toEqual(['T1: s1 does not make its marker']);
});

test.each([
  [[signed('s1'), signed('s2')], 's2 is signed beside s1'],
  [[failed, signed('s1')], 's1 is signed after TransferFailed'],
  [[signed('s1'), dropped('s1'), failed, completed('s1')], 'TransferCompleted after TransferFailed'],
])('T4 (%#)', async (events, says) => {
  expect(await found(events)).toEqual([`T4: ${says}`]);
});

test.each<[readonly DomainEvent[], Moved, string]>([
  [[signed('s1'), completed('s1')], { s1: 24n }, 's1 has moved 24 of 25'],
  [[signed('s1'), completed('s1')], { s1: null }, 's1 is on the chain without effect'],
  [[signed('s1'), completed('s2')], {}, 's2 was never signed'],
  [
    [signed('s1'), dropped('s1'), signed('s2'), completed('s2')],
    { s1: 25n, s2: 25n },
    's1 has landed, and it is TransferCompleted',
  ],
  [
    [signed('s1'), dropped('s1'), failed],
    { s1: 25n },
    's1 has landed, and it is TransferFailed',
  ],
])('T5 (%#)', async (events, moved, says) => {
  expect(await found(events, { moved })).toEqual([`T5: ${says}`]);
});

test('M1: more is refunded of a credit than it brought', async () => {
  expect(await found([], { credit: 40n, refunded: 40n })).toEqual([]);
  expect(await found([], { credit: 40n, refunded: 41n })).toEqual(['M1: 41 are refunded of 40']);
});

const refunding = (merchant_id: string, from: string): TransferTerms => ({
  ...{ ...transfer, merchant_id, from, transfer_id: `rf_test_${merchant_id}` },
});
const requestedOf = (terms: TransferTerms) =>
  checkedObject(`outgoingtransfer.test-${terms.transfer_id}`, [
    { type: 'TransferRequested', data: { transfer: terms } },
  ]);
const SETTLES_TO = someAddress(7);
/** The operating wallet of a merchant, with the one that it settles to. */
const opened = (merchant_id: string, address: string, settlement_wallet: string) =>
  checkedObject(`operatingwallet.test-${merchant_id}`, [
    {
      type: 'OperatingWalletBegun',
      data: { merchant_id, settlement_wallet, session: 's', begun_at: '2026-01-01T00:00:00.000Z' },
    },
    {
      type: 'OperatingWalletOpened',
      data: {
        ...{ merchant_id, session: 's', address, opened_at: '2026-01-01T00:00:01.000Z' },
        roster: { roster: { settlement_wallet }, signatures: {} },
      },
    },
  ]);

test('M1: money that the same transaction brought to another wallet is no part of the credit', async () => {
  const both = [refunding('m1', WALLET), refunding('m2', someAddress(9))];
  const objects = [...both.map(requestedOf), opened('m2', someAddress(9), SETTLES_TO)];
  const rows = both.map((terms) => ({ ...terms, refunded: '25' }));
  const looked = objects.slice(0, 2);
  expect(
    await findingsOf(transferInvariants, { objects, rows, chains: chainOf({}, 25n) }, looked),
  ).toEqual(['M1: 25 are refunded of 0']);
});

test('M1: what came to a wallet that two merchants settle to is refunded by both of them together', async () => {
  const wallets = [someAddress(8), someAddress(9)] as const;
  const both = [refunding('m1', wallets[0]), refunding('m2', wallets[1])];
  const objects = [
    ...both.map(requestedOf),
    ...[opened('m1', wallets[0], WALLET), opened('m2', wallets[1], WALLET)],
  ];
  const findings = (refunded: readonly string[]) => {
    const rows = both.map((terms, place) => ({ ...terms, refunded: refunded[place] }));
    const looked = objects.slice(0, 2);
    return findingsOf(transferInvariants, { objects, rows, chains: chainOf({}, 40n) }, looked);
  };
  expect(await findings(['25', '15'])).toEqual([]);
  const over = 'M1: 41 are refunded of 40';
  expect(await findings(['25', '16'])).toEqual([over, over]);
});
