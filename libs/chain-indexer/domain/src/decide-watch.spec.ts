import { decide, type CommandOf } from '@tender/kernel';
import fc from 'fast-check';
import {
  watchDecider,
  type AllocatedMoney,
  type ReceivedMoney,
  type WatchEvent,
  type WatchState,
} from './index';

type WatchCommand = CommandOf<typeof watchDecider>;

const money = (signature = 'sig'): AllocatedMoney => ({
  payment_id: 'pay_1',
  merchant_id: 'm1',
  token: 'USDC',
  token_mint: 'mint',
  amount: '100',
  transaction_signature: signature,
  from_wallet: 'customer',
  block_time: '2026-01-01T00:00:00.000Z',
});
const receipt = (signature = 'sig', reason: ReceivedMoney['reason'] = 'short'): ReceivedMoney => ({
  ...money(signature),
  account: 'ata',
  reason,
  shared_wallet: false,
});
const credit = (signature?: string): WatchCommand => ({
  type: 'TakeCredit',
  money: money(signature),
  account: 'ata',
  wallet: 'merchant',
});
const close: WatchCommand = {
  type: 'CloseWatch',
  payment_id: 'pay_1',
  merchant_id: 'm1',
  watermark: '2026-01-01T00:15:01.000Z',
};

const failed: WatchCommand = {
  type: 'FailSubmission',
  failed: {
    ...{ payment_id: 'pay_1', merchant_id: 'm1', transaction_signature: 'sig', customer_wallet: null },
    reason: 'failed_on_chain',
  },
};

function decided(...commands: WatchCommand[]): (readonly [string, string?])[] {
  return all(...commands).at(-1)?.map((event) =>
    event.type === 'MoneyReceived' ? [event.type, event.data.reason] : [event.type],
  ) ?? [];
}
function all(...commands: WatchCommand[]): WatchEvent[][] {
  let state: WatchState = watchDecider.initial;
  return commands.map((command) => {
    const decision = decide(watchDecider, command, state);
    if (!decision.ok) throw new Error('a watch refuses nothing');
    state = decision.events.reduce(watchDecider.evolve, state);
    return [...decision.events];
  });
}

it('is paid by the first credit; a second is a duplicate', () => {
  expect(decided(credit())).toEqual([['CreditAllocated']]);
  expect(decided(credit(), credit('other'))).toEqual([['MoneyReceived', 'duplicate']]);
});

it('closes when nothing paid it, once', () => {
  expect(decided(close)).toEqual([['WatchClosed']]);
  expect(decided(close, close)).toEqual([]);
  expect(decided(credit(), close)).toEqual([]);
});

it('after the close money is late', () => {
  expect(decided(close, credit())).toEqual([['MoneyReceived', 'late']]);
});

it('ends when what was handed in has failed, unless it is paid or closed', () => {
  expect(decided(failed)).toEqual([['SubmissionFailed']]);
  expect(decided(failed, failed)).toEqual([]);
  expect(decided(credit(), failed)).toEqual([]);
  expect(decided(close, failed)).toEqual([]);
  expect(decided(failed, credit())).toEqual([['MoneyReceived', 'late']]);
});

it('makes one receipt of each piece of other money and stays open', () => {
  const short: WatchCommand = { type: 'TakeReceipt', money: receipt() };
  expect(decided(short)).toEqual([['MoneyReceived', 'short']]);
  expect(decided(short, short)).toEqual([]);
  expect(decided(short, { type: 'TakeReceipt', money: receipt('other') })).toEqual([['MoneyReceived', 'short']]);
  expect(decided(short, credit())).toEqual([['CreditAllocated']]);
});

it('never both pays and closes, and pays at most once', () => {
  const commands = fc.array(
    fc.oneof(
      fc.constantFrom(close, failed),
      fc.constantFrom('a', 'b', 'c').map((signature) => credit(signature)),
      fc.constantFrom('a', 'b').map((signature): WatchCommand => ({ type: 'TakeReceipt', money: receipt(signature) })),
    ),
  );
  fc.assert(
    fc.property(commands, (script) => {
      const ends = all(...script).flat().filter(({ type }) => type !== 'MoneyReceived');
      return ends.length <= 1;
    }),
  );
});
