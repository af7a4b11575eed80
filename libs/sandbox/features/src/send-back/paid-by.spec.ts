import type { BalanceChange, ChainTransaction } from '@tender/eventing';
import { paidBy } from './paid-by';

const mints = { USDC: 'usdc-mint', USDT: 'usdt-mint' };
const change = (owner: string, delta: bigint, mint: string | null = mints.USDC): BalanceChange => ({
  ...{ account: `${owner}-${mint}`, owner, mint, token_program: null, delta },
});
const transaction = (changes: readonly BalanceChange[], failed = false): ChainTransaction => ({
  ...{ signature: 's', slot: 1, block_time: 1, failed, fee_payer: 'ada', fee: 5_000n },
  ...{ account_keys: [], changes, sol_transfer_destinations: [] },
});
const fee = change('ada', -5_000n, null);

test('who paid is the one owner that lost as much of the same token', () => {
  const paid = transaction([fee, change('ada', -7n), change('wallet', 7n)]);
  expect(paidBy(paid, 'wallet', mints)).toEqual({ payer: 'ada', token: 'USDC', amount: 7n });
});

test('SOL is paid by who lost it, beside a fee that another pays', () => {
  const paid = transaction([fee, change('bob', -9_000n, null), change('wallet', 9_000n, null)]);
  expect(paidBy(paid, 'wallet', mints)).toEqual({ payer: 'bob', token: 'SOL', amount: 9_000n });
});

test.each([
  ['failed', transaction([change('ada', -7n), change('wallet', 7n)], true)],
  ['came from two at once', transaction([change('ada', -4n), change('bob', -3n), change('wallet', 7n)])],
  ['took money away', transaction([change('ada', 7n), change('wallet', -7n)])],
  ['is of another token', transaction([change('ada', -7n, 'other'), change('wallet', 7n, 'other')])],
])('a transaction that %s is given back to no wallet', (_, of) => {
  expect(paidBy(of, 'wallet', mints)).toBeNull();
});
