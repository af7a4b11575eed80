import { decimalOf, toUnits } from '@tender/kernel';
import { invalidParameter } from './api-error';

const CENT_PLACES = 2;

/** Of an amount in USD, EUR or GBP: cents, or pence. Throws 400. */
export function minorUnits(amount: number, field = 'amount'): bigint {
  const units = toUnits(decimalOf(amount), CENT_PLACES);
  if (units !== null && units > 0n) return units;
  throw invalidParameter({ field, message: 'must be above 0 with at most 2 decimals' });
}
