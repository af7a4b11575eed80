import type { CreatePaymentBody } from '@tender/contracts';
import type { Rates } from '@tender/eventing';
import { minorUnits } from '@tender/http';
import { invariant, type Currency, type Token } from '@tender/kernel';
import { priceOf, type Price, type Quote } from '@tender/payments-domain';

export interface PricedOrder extends Price {
  readonly amount_minor: bigint;
  readonly currency: Currency;
  readonly token: Token;
  readonly quotes: readonly Quote[];
}

type Order = Pick<CreatePaymentBody, 'amount' | 'currency' | 'token'>;

/** Quotes what needs a quote, at this moment; throws `NotThisOne` when a rate is stale (specification §2.3). */
export async function priceOrder(rates: Rates, order: Order): Promise<PricedOrder> {
  const currency = order.currency ?? 'USD';
  const token = order.token ?? 'USDC';
  const amount_minor = minorUnits(order.amount);
  const currency_quote = currency === 'USD' ? null : await quoteOf(rates, currency);
  const token_quote = token === 'SOL' ? await quoteOf(rates, token) : null;
  const price = priceOf({
    amount_minor,
    currency_rate: currency_quote?.rate ?? null,
    token,
    token_rate: token_quote?.rate ?? null,
  });
  invariant(price, 'a rate source gives rates above 0');
  const quotes = [currency_quote, token_quote].filter((quote) => quote !== null);
  return { ...price, amount_minor, currency, token, quotes };
}

async function quoteOf(rates: Rates, symbol: Quote['symbol']): Promise<Quote> {
  const { rate, source, as_of } = await rates.quote(symbol);
  return { symbol, rate, source, as_of };
}
