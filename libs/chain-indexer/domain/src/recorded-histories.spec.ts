import { stateAfter } from '@tender/eventing/testing';
import { creditDecider, type CreditEvent } from './decide-credit';
import { watchDecider, type WatchEvent } from './decide-watch';
import credits from './recorded/credit-v1.json';
import watches from './recorded/watch-v1.json';

const credit = (history: readonly unknown[]) =>
  stateAfter(creditDecider, history as readonly CreditEvent[]);
const watch = (history: readonly unknown[]) =>
  stateAfter(watchDecider, history as readonly WatchEvent[]);

const allocated = credits.allocated[0]?.data;
const held = {
  token: 'USDC',
  token_mint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  account: '7UX2i7SucgLMQcfZ75s3VXmZZY4YRUyJN9X1RgfMoDUi',
  amount: '5',
  transaction_signature: 'S9',
  from_wallet: 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd',
  block_time: '2026-01-01T00:01:00.000Z',
};

test('recorded credits of version 1 fold as they did', () => {
  expect(credit(credits.allocated)).toEqual({ status: 'allocated', money: allocated });
  expect(credit(credits.claimed)).toEqual({ status: 'allocated', money: allocated });
  expect(credit(credits.held)).toEqual({ status: 'held', money: held });
  expect(credit(credits.reported)).toEqual({ status: 'reported', money: held });
  expect(credit(credits.named)).toEqual({
    status: 'named',
    money: {
      ...held,
      ...{ amount: '10810799', transaction_signature: 'S3', reason: 'short', shared_wallet: false },
      payment_id: 'pay_test_0000000000000000000042',
      merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
    },
  });
});

test('recorded watches of version 1 fold as they did', () => {
  const receipt = (signature: string, reason: string) =>
    `${signature}:${held.account}:${held.token_mint}:${reason}`;
  expect(watch(watches.paid)).toEqual({
    status: 'paid',
    receipts: [receipt('S3', 'short'), receipt('S4', 'duplicate')],
  });
  expect(watch(watches.failed)).toEqual({ status: 'closed', receipts: [] });
  expect(watch(watches.closed)).toEqual({ status: 'closed', receipts: [receipt('S5', 'late')] });
});
