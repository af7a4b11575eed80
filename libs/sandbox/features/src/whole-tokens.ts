import { invalidParameter } from '@tender/http';
import { decimalOf, TOKEN_DECIMALS, toUnits, type Token } from '@tender/kernel';

/** Base units of a JSON number of whole tokens; 400 when the token has fewer places. */
export function wholeTokens(amount: number, token: Token): bigint {
  const units = toUnits(decimalOf(amount), TOKEN_DECIMALS[token]);
  if (units === null) {
    const message = `has more than the ${TOKEN_DECIMALS[token]} decimals of ${token}`;
    throw invalidParameter({ field: 'amount', message });
  }
  return units;
}
