import type { Token } from '@tender/kernel';
import type { BalanceChange, Chain } from '../ports/chain';

/** By how much a wallet is richer in that asset after a transaction; base units. */
export function movedMoney(
  changes: readonly BalanceChange[],
  wallet: string,
  asset: Token,
  mints: Chain['mints'],
): bigint {
  const mint = asset === 'SOL' ? null : mints[asset];
  return changes
    .filter((change) => change.mint === mint)
    .filter(({ account, owner }) => (mint === null ? account : owner) === wallet)
    .reduce((sum, { delta }) => sum + delta, 0n);
}
