import { randomBytes } from 'node:crypto';
import type { RequestedTransfer } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { base58 } from '@tender/transactions';
import { freshTestWallet } from '@tender/transactions/testing';
import { ask, described, ended, PayoutHouse } from '../testing/payout-house';
import { freeHeld, keepHeld, keepSettledBy, type HeldMoney } from './held-money.record';

/** The wallet has 100 USDC at first. */
const house = new PayoutHouse();
beforeAll(() => house.start());
afterEach(() => {
  house.custody.held = null;
});
afterAll(() => house.close());

const USDC = 1_000_000n;
const dollars = (amount: bigint): string => String(amount * USDC);

async function held(stage: ContextStage, amount: bigint): Promise<HeldMoney> {
  const [payment_id, signature] = [16, 64].map((bytes) => base58(randomBytes(bytes)));
  const money: HeldMoney = {
    ...{ mode: 'test', payment_id: payment_id!, wallet: house.wallet, asset: 'USDC' },
    ...{ amount: dollars(amount), signature: signature! },
  };
  await keepHeld(stage.runtime.readModels, money);
  return money;
}
const outcome = async (stage: ContextStage, transfer: RequestedTransfer) => {
  const { status, failure_reason } = await ended(stage, transfer);
  return failure_reason ?? status;
};
const sent = async (stage: ContextStage, transfer: RequestedTransfer) => {
  await ask(stage, transfer);
  return outcome(stage, transfer);
};

test('a refund of another payment takes nothing of what is held, to the base unit', async () => {
  const stage = await house.open();
  const money = await held(stage, 60n);
  expect(await sent(stage, house.refund({ amount: String(40n * USDC + 1n) }))).toBe('insufficient_balance');
  expect(await sent(stage, house.refund({ amount: dollars(40n) }))).toBe('completed');
  expect(await house.tokens(house.wallet)).toBe(60n * USDC);
  expect(await sent(stage, house.refund({ amount: '1' }))).toBe('insufficient_balance');
  await freeHeld(stage.runtime.readModels, money);
  // What is heard twice holds nothing again.
  await keepHeld(stage.runtime.readModels, money);
  expect(await sent(stage, house.refund({ amount: dollars(10n) }))).toBe('completed');
});

test('what is held pays its own refund, and then holds nothing', async () => {
  const stage = await house.open();
  const own = await held(stage, 20n);
  await held(stage, 30n);
  expect(await sent(stage, house.refund({ amount: '1' }))).toBe('insufficient_balance');
  const back = house.refund({ amount: own.amount, credit: own.signature });
  expect(await sent(stage, back)).toBe('completed');
  expect(await house.tokens(house.wallet)).toBe(30n * USDC);
  await house.give(house.wallet, 'USDC', 5n * USDC);
  expect(await sent(stage, house.refund({ amount: dollars(5n) }))).toBe('completed');
  expect(await house.tokens(house.wallet)).toBe(30n * USDC);
});

test('what is held pays its own settlement, and holds nothing from then on, before payments has said so', async () => {
  const stage = await house.open();
  house.custody.settlement_wallet = freshTestWallet().address;
  await house.give(house.wallet, 'USDC', 20n * USDC);
  const money = await held(stage, 20n);
  const settlement = { ...house.refund({ amount: money.amount }), type: 'settlement', to: null, credit: null } as const;
  await keepSettledBy(stage.runtime.readModels, money, settlement.transfer_id);
  expect(await sent(stage, settlement)).toBe('completed');
  await house.give(house.wallet, 'USDC', 2n * USDC);
  expect(await sent(stage, house.refund({ amount: dollars(2n) }))).toBe('completed');
  expect(await house.tokens(house.wallet)).toBe(30n * USDC);
});

test('two refunds at once do not take what is held either: the second waits for the first', async () => {
  const stage = await house.open();
  await house.give(house.wallet, 'USDC', 10n * USDC);
  const signing = Promise.withResolvers<void>();
  house.custody.held = signing.promise;
  const refund = () => house.refund({ amount: dollars(7n) });
  const both = [refund(), refund()] as const;
  await Promise.all(both.map((transfer) => ask(stage, transfer)));
  const asked = () => house.custody.asked.filter(({ amount }) => amount === dollars(7n));
  while (asked().length === 0) await new Promise(setImmediate);
  expect(await described(stage, both[0])).toMatchObject({ status: 'pending' });
  signing.resolve();
  const outcomes = await Promise.all(both.map((transfer) => outcome(stage, transfer)));
  expect(outcomes.sort()).toEqual(['completed', 'insufficient_balance']);
  expect(asked()).toHaveLength(1);
  expect(await house.tokens(house.wallet)).toBe(33n * USDC);
});
