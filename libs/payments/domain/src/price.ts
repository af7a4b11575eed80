import {
  divideHalfUp,
  divideUp,
  parseDecimal,
  TOKEN_DECIMALS,
  type Decimal,
  type Token,
} from '@tender/kernel';

export interface Priced {
  /** Minor units of the currency: 1050 is 10.50. */
  readonly amount_minor: bigint;
  /** USD per unit of the currency, exact decimal text; null for USD. */
  readonly currency_rate: string | null;
  readonly token: Token;
  /** USD per whole token; null for USDC and USDT, which are 1 USD. */
  readonly token_rate: string | null;
}

export interface Price {
  readonly amount_usd_cents: bigint;
  /** Base units. */
  readonly token_amount: bigint;
}

const ONE: Decimal = { units: 1n, scale: 0 };
const CENT_PLACES = 2;

/**
 * What a payment is worth in USD (half up to cents) and what is due in the token (rounded up to base
 * units from the exact value, never in the payer’s favour): specification §2.3. Null when a rate is not a
 * number above 0.
 */
export function priceOf(priced: Priced): Price | null {
  const currency = rateOf(priced.currency_rate);
  const token = rateOf(priced.token_rate);
  if (!currency || !token) return null;

  // The exact value is usd_units × 10^-usd_scale USD.
  const usd_units = priced.amount_minor * currency.units;
  const usd_scale = CENT_PLACES + currency.scale;
  const decimals = BigInt(TOKEN_DECIMALS[priced.token]);
  return {
    amount_usd_cents: divideHalfUp(usd_units, 10n ** BigInt(currency.scale)),
    token_amount: divideUp(
      usd_units * 10n ** (decimals + BigInt(token.scale)),
      token.units * 10n ** BigInt(usd_scale),
    ),
  };
}

function rateOf(text: string | null): Decimal | null {
  if (text === null) return ONE;
  const rate = parseDecimal(text);
  return rate && rate.units > 0n ? rate : null;
}
