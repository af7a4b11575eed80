import { checkedObject, findingsOf } from '@tender/eventing/testing';
import credits from '../../../domain/src/recorded/credit-v1.json';
import watches from '../../../domain/src/recorded/watch-v1.json';
import { chainInvariants } from './chain-invariants';

const [allocated] = credits.allocated as [(typeof credits.allocated)[number]];
const [, { data: received }] = credits.reported as [unknown, (typeof credits.reported)[number]];
const [closed] = watches.closed as [(typeof watches.closed)[number]];
const [failed] = watches.failed as [(typeof watches.failed)[number]];

const ofCredit = (...events: readonly { type: string; data: object }[]) =>
  findingsOf(chainInvariants, { objects: [checkedObject('credit.test-S1:account:mint', events)] });
const ofWatch = (...events: readonly { type: string; data: object }[]) =>
  findingsOf(chainInvariants, { objects: [checkedObject('watch.live-pay_live_1', events)] });

test.each(Object.entries(credits))('a credit that is %s breaks nothing', async (_, events) => {
  expect(await ofCredit(...events)).toEqual([]);
});

test.each(Object.entries(watches))('a watch that is %s breaks nothing', async (_, events) => {
  expect(await ofWatch(...events)).toEqual([]);
});

test('M7: a credit that was allocated to two payments', async () => {
  const { payment_id } = allocated.data;
  const again = { ...allocated, data: { ...allocated.data, payment_id: 'pay_test_2' } };
  expect(await ofCredit(allocated, again)).toEqual([
    `M7: it was allocated to ${payment_id}, pay_test_2`,
  ]);
});

test('C10: a watch that ends twice', async () => {
  expect(await ofWatch(closed, allocated)).toEqual([
    'C10: it has ended 2 times: WatchClosed, CreditAllocated',
  ]);
  expect(await ofWatch(allocated, failed)).toEqual([
    'C10: it has ended 2 times: CreditAllocated, SubmissionFailed',
  ]);
});

test('C11: a settlement that was reported as money without a payment', async () => {
  const data = { ...received, wallet: 'W1', merchant_id: 'm1', transaction_signature: 'S-settled' };
  const objects = [checkedObject('credit.test-S-settled:account:mint', [{ type: 'MoneyReceived', data }])];
  const sentBy = (merchant_id: string) => [{ signature: 'S-settled', merchant_id }];
  expect(await findingsOf(chainInvariants, { objects, rows: sentBy('m1') })).toEqual([
    'C11: S-settled left the operating wallet of m1',
  ]);
  // What another merchant's operating wallet has sent is a receipt.
  expect(await findingsOf(chainInvariants, { objects, rows: sentBy('m2') })).toEqual([]);
});

test('M17: an event of the other mode', async () => {
  const credit = checkedObject('credit.test-S1:account:mint', [allocated]);
  const [event] = credit.history;
  const strayed = { ...event!, metadata: { ...event!.metadata, mode: 'live' as const } };
  const objects = [{ ...credit, history: [strayed] }];
  expect(await findingsOf(chainInvariants, { objects })).toEqual([
    'M17: event 0 is of live mode, its stream of test',
  ]);
});
