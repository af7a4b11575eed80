import type { PayableSummary } from '@tender/contracts';
import { invalidParameter, tooPrecise } from '@tender/http';
import { decimalOf, divideUp, TOKEN_DECIMALS, toUnits, type Token } from '@tender/kernel';

/** Base units of a JSON number of whole tokens; 400 when the token has fewer places. */
export function wholeTokens(amount: number, token: Token): bigint {
  const read = decimalOf(amount);
  const places = TOKEN_DECIMALS[token];
  const fault = tooPrecise(`must have at most the ${places} decimals of ${token}`, places, read);
  if (fault !== null) throw invalidParameter({ field: 'amount', message: fault });
  return toUnits(read, places) as bigint;
}

/** As many whole tokens as are due, in whatever token: 10.5 USDC become 10.5 USDT. */
export function sameNumber(
  due: Pick<PayableSummary, 'token' | 'token_amount'>,
  token: Token,
): bigint {
  const scale = TOKEN_DECIMALS[token] - TOKEN_DECIMALS[due.token];
  const units = BigInt(due.token_amount);
  return scale >= 0 ? units * 10n ** BigInt(scale) : divideUp(units, 10n ** BigInt(-scale));
}
