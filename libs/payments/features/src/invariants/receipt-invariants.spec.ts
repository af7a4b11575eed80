import type { CheckPorts, DomainEvent } from '@tender/eventing';
import { checkedObject, findingsOf } from '@tender/eventing/testing';
import history from '../../../domain/src/recorded/receipt-refund-v1.json';
import { receiptInvariants } from './receipt-invariants';

const {
  OperatingWalletReceiptRecorded: recorded,
  ReceiptRefundRequested: requested,
  ReceiptRefundFailed: failed,
  ReceiptRefundRequestedAgain: again,
  ReceiptRefunded: refunded,
  ReceiptAcceptedAfterFailure: accepted,
} = history;

const life = (...events: readonly DomainEvent[]) =>
  checkedObject(`receipt.test-${recorded.data.receipt_id.replace('_test', '')}`, events);
const found = (...events: readonly DomainEvent[]) =>
  findingsOf(receiptInvariants, { objects: [life(...events)] });

test.each([
  ['recorded', [recorded]],
  ['on its way back', [recorded, requested]],
  ['refunded at the second attempt', [recorded, requested, failed, again, refunded]],
  ['accepted after a failed refund', [recorded, requested, failed, accepted]],
])('a receipt that is %s breaks nothing', async (_, events) => {
  expect(await found(...events)).toEqual([]);
});

test.each([
  [[recorded, recorded], 'ReceiptRecorded after ReceiptRecorded'],
  [[recorded, requested, failed, accepted, again], 'ReceiptRefundRequested after ReceiptResolved'],
  [[recorded, requested, failed, again, refunded, refunded], 'ReceiptResolved after ReceiptResolved'],
  [[recorded, requested, again], 'attempt 2 beside attempt 1'],
  [[recorded, again], 'no attempt 1'],
  [[recorded, failed], 'a refund has failed that was not under way'],
  [[recorded, requested, accepted], 'accepted while its money goes back'],
  [[recorded, refunded], 'refunded without a transfer'],
])('C12: what no receipt does (%#)', async (events, says) => {
  expect(await found(...events)).toEqual([`C12: ${says}`]);
});

describe('C12: what the chain shows of the refund', () => {
  const mint = recorded.data.token_mint;
  const chainWith = (landed: object | null) => {
    const chain = { mints: { USDC: mint, USDT: 'other' }, transaction: async () => landed };
    return { test: chain, live: chain } as unknown as CheckPorts['chains'];
  };
  const foundOn = (landed: object | null) => {
    const objects = [life(recorded, requested, failed, again, refunded)];
    return findingsOf(receiptInvariants, { objects, chains: chainWith(landed) });
  };
  const brought = (delta: bigint) => [{ account: 'A', owner: recorded.data.from_wallet, mint, delta }];

  test('the whole amount, and what it does not show, break nothing', async () => {
    expect(await foundOn({ failed: false, changes: brought(5_000_000n) })).toEqual([]);
    expect(await foundOn(null)).toEqual([]);
  });

  test.each([
    ['less', { failed: false, changes: brought(4_999_999n) }, '4999999'],
    ['nothing', { failed: true, changes: [] }, '0'],
  ])('%s', async (_, landed, moved) => {
    expect(await foundOn(landed)).toEqual([`C12: R2 has brought back ${moved} of 5000000`]);
  });
});
