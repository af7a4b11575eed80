import { fromUnits, refuse, type Refused } from '@tender/kernel';

/** Money in billing is whole cents: 1050 is 10.50. */
export const CENT_PLACES = 2;

/** More than the merchant may ask for at most, in cents; null where it is not. */
export const aboveMaximum = (
  amount: bigint,
  amount_max: bigint,
): Refused<'amount_too_large'> | null =>
  amount > amount_max
    ? refuse('amount_too_large', { amount_max_usd: fromUnits(amount_max, CENT_PLACES) })
    : null;
