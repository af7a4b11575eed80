import { divideUp, fromUnits, TOKEN_DECIMALS } from '@tender/kernel';
import type { Operation } from '@tender/threshold';
import type { Rules } from './rules';

const CENTS_OF_DOLLAR = 100n;

/** What an operation takes of the day’s limit, rounded up: a stablecoin is a dollar, SOL has the signer’s own price. */
export function usdCentsOf({ asset, amount }: Operation, { sol_usd_cents }: Rules): number {
  const cents_of_one = asset === 'SOL' ? BigInt(sol_usd_cents) : CENTS_OF_DOLLAR;
  const cents = divideUp(BigInt(amount) * cents_of_one, 10n ** BigInt(TOKEN_DECIMALS[asset]));
  return fromUnits(cents, 0);
}
