import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestedTransfer } from '@tender/contracts';
import type { Chain } from '@tender/eventing';
import { freshTestWallet } from '@tender/transactions/testing';
import { refundedAmounts } from '../invariants/refunded-amounts';
import { showing } from '../testing/chain-doubles';
import { ask, described, ended, PayoutHouse } from '../testing/payout-house';

const house = new PayoutHouse();
beforeAll(() => house.start());
afterEach(() => {
  house.custody.always = null;
  house.custody.is_ready = true;
});
afterAll(() => house.close());

const outcome = async (transfer: RequestedTransfer) => {
  const stage = await house.open();
  expect(await ask(stage, transfer)).toMatchObject({ ok: true });
  const { status, failure_reason } = await ended(stage, transfer);
  return failure_reason ?? status;
};

test('money leaves to the wallet that is named: tokens, and SOL to the last lamport', async () => {
  await house.give(house.wallet, 'SOL', 5_000_000n);
  const tokens = house.refund();
  const sol = house.refund({ asset: 'SOL', amount: '5000000' });
  const stage = await house.open();
  await Promise.all([ask(stage, tokens), ask(stage, sol)]);
  expect((await ended(stage, sol)).status).toBe('completed');
  const state = await ended(stage, tokens);
  expect(await described(stage, tokens)).toEqual({
    ...{ transfer_id: tokens.transfer_id, mode: 'test', type: 'refund', merchant_id: 'merchant-1' },
    ...{ from: house.wallet, to: tokens.to, asset: 'USDC', amount: '10000000' },
    ...{ status: 'completed', transaction_signature: state.signature, failure_reason: null },
  });
  expect(await house.tokens(tokens.to)).toBe(10_000_000n);
  expect(await house.lamports(sol.to)).toBe(5_000_000n);
  expect(await house.lamports(house.wallet)).toBe(0n);
});

test('twenty requests of one are one; with other terms it is refused; a settlement goes where the roster says', async () => {
  const stage = await house.open();
  const transfer = house.refund();
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(stage, transfer)));
  expect(answers.every(({ ok }) => ok)).toBe(true);
  expect(await ask(stage, { ...transfer, amount: '1' })).toMatchObject({ refusal: 'transfer_differs' });
  const settlement = { ...house.refund(), type: 'settlement', to: null, credit: null } as const;
  expect(await ask(stage, settlement)).toMatchObject({ refusal: 'wallet_not_ready' });
  house.custody.settlement_wallet = freshTestWallet().address;
  await ask(stage, settlement);
  expect(await ended(stage, settlement)).toMatchObject({
    ...{ status: 'completed', transfer: { to: house.custody.settlement_wallet } },
  });
  expect((await ended(stage, transfer)).attempts).toHaveLength(1);
  expect(await house.moved(transfer)).toHaveLength(1);
  house.custody.is_ready = false;
  expect(await ask(stage, house.refund())).toMatchObject({ refusal: 'wallet_not_ready' });
  expect(await described(stage, house.refund())).toBeNull();
});

test('what can never be paid fails, and the signers are not asked', async () => {
  const asked = house.custody.asked.length;
  const { mints } = house.local.network;
  expect(await outcome(house.refund({ amount: '100000001' }))).toBe('insufficient_balance');
  expect(await outcome(house.refund({ asset: 'USDT', amount: '1' }))).toBe('insufficient_balance');
  expect(await outcome(house.refund({ asset: 'SOL', amount: '1000000' }))).toBe('insufficient_balance');
  expect(await outcome(house.refund({ to: mints.USDC }))).toBe('destination_invalid');
  expect(await outcome(house.refund({ to: house.wallet }))).toBe('destination_invalid');
  expect(await outcome(house.refund({ to: house.key.address }))).toBe('destination_invalid');
  const account = house.chain.tokenAccount(house.wallet, 'USDC');
  expect(await outcome(house.refund({ to: account }))).toBe('destination_invalid');
  await house.give(house.wallet, 'SOL', 2_000_000n);
  // The chain keeps no wallet with so little.
  expect(await outcome(house.refund({ asset: 'SOL', amount: '800000' }))).toBe('destination_invalid');
  expect(await outcome(house.refund({ asset: 'SOL', amount: '1500000' }))).toBe('insufficient_balance');
  expect(house.custody.asked).toHaveLength(asked);
});

test('nothing goes to a wallet that is sanctioned, nor while there is no list to tell by', async () => {
  const transfer = house.refund();
  house.sanctions.set(transfer.to, { sanctioned: true });
  const asked = house.custody.asked.length;
  expect(await outcome(transfer)).toBe('sanctions_hit');
  expect(house.custody.asked).toHaveLength(asked);
  const other = house.refund();
  house.sanctions.set(other.to, null);
  const stage = await house.open();
  await ask(stage, other);
  while (house.screened.filter((wallet) => wallet === other.to).length < 2) await sleep(20);
  expect(await described(stage, other)).toMatchObject({ status: 'pending' });
  expect(house.custody.asked).toHaveLength(asked);
  house.sanctions.delete(other.to);
  expect((await ended(stage, other)).status).toBe('completed');
});

test('one node alone does not make a transfer fail', async () => {
  let views = 0;
  const stage = await house.open({
    accounts: async (addresses) => addresses.map(() => null),
    finalViews: showing(() => house.chain, ([view]) => {
      views += 1;
      if (view === undefined) throw new Error('one node answers');
      return [view, { ...view, accounts: view.accounts.map(() => null) }];
    }),
  });
  const transfer = house.refund();
  await ask(stage, transfer);
  while (views < 3) await sleep(20);
  expect(await described(stage, transfer)).toMatchObject({ status: 'pending' });
  expect((await ended(await house.open(), transfer)).status).toBe('completed');
});

test('signers that decline end it; signers that are away, or say nothing of it, are asked again', async () => {
  const refused = (code: string) =>
    ({ ok: false, refused: { role: 'A', code, reason: 'a test says so' } }) as const;
  house.custody.always = refused('credit_exceeded');
  expect(await outcome(house.refund())).toBe('signing_declined');
  house.custody.always = null;
  const before = house.custody.asked.length;
  house.custody.answers.push({ ok: false, unavailable: true });
  for (const code of ['op_already_in_flight', 'op_already_settled', 'evidence_unavailable']) {
    house.custody.answers.push(refused(code));
  }
  house.custody.answers.push(refused('sessions_busy'), refused('a_code_of_a_newer_signer'));
  expect(await outcome(house.refund())).toBe('completed');
  expect(house.custody.asked).toHaveLength(before + 7);
});

test('of a credit that brought several assets, what each wallet has refunded of each is counted by itself', async () => {
  const credit = 'a transaction that paid twice';
  const stage = await house.open();
  const usdc = [house.refund({ credit }), house.refund({ credit, amount: '5000000' })];
  const sol = house.refund({ credit, asset: 'SOL', amount: '1' });
  for (const one of [...usdc, sol]) await ask(stage, one);
  for (const one of usdc) expect((await ended(stage, one)).status).toBe('completed');
  await ended(stage, sol);
  await stage.settle();
  const credited = [
    ...[{ credit, asset: 'USDC' }, { credit, asset: 'SOL' }],
    { credit: 'another transaction', asset: 'USDC' },
  ] as const;
  const counted = await refundedAmounts(stage.runtime.readModels, 'test', credited);
  expect(counted).toEqual([
    {
      ...{ credit, asset: 'USDC', from: house.wallet, merchant_id: 'merchant-1' },
      refunded: '15000000',
    },
  ]);
});

test('two at once for the money of one: the chain lets one through, and the other one has failed', async () => {
  const { wallet } = house;
  const held = await house.tokens(wallet);
  const both = [1, 2].map(() => house.refund({ amount: held.toString() }));
  const stage = await house.open();
  const asked = house.custody.asked.length;
  let release = (): void => undefined;
  house.custody.held = new Promise((resolve) => (release = resolve));
  await Promise.all(both.map((one) => ask(stage, one)));
  while (house.custody.asked.length < asked + 2) await sleep(20);
  release();
  house.custody.held = null;
  const states = await Promise.all(both.map((one) => ended(stage, one)));
  expect(states.map(({ failure_reason }) => failure_reason).sort()).toEqual(['insufficient_balance', null]);
  const failed = states.find(({ status }) => status === 'failed');
  expect(failed?.attempts).toMatchObject([{ signature: failed?.signature, may_land: false }]);
  expect(await house.tokens(wallet)).toBe(0n);
  await house.give(wallet, 'USDC', 100_000_000n);
});

test('what the budget of the day does not hold waits, unsigned, and goes on when it does', async () => {
  const transfer = house.refund();
  const asked = house.custody.asked.length;
  let tried = 0;
  const simulate: Chain['simulate'] = (...given) => {
    tried += 1;
    return house.chain.simulate(...given);
  };
  const poor = await house.open({ simulate }, { lamports_day: 1_000_000n });
  await ask(poor, transfer);
  while (tried < 3) await sleep(20);
  expect(await described(poor, transfer)).toMatchObject({ status: 'pending' });
  expect(house.custody.asked).toHaveLength(asked);
  expect((await ended(await house.open(), transfer)).status).toBe('completed');
});
