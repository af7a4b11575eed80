import { divideHalfUp, divideUp, invariant, parseDecimal, type Decimal } from '@tender/kernel';
import { CENT_PLACES } from './amount-max';

/** Quantity and price are exact decimal text, as the merchant has sent them. */
export interface LineItem {
  readonly description: string;
  readonly quantity: string;
  readonly unit_price: string;
}

/** What the items come to in cents: summed exactly, and rounded once, half up. */
export function lineItemsTotal(items: readonly LineItem[]): bigint {
  const products = items.map(({ quantity, unit_price }) => {
    const [count, price] = [exact(quantity), exact(unit_price)];
    return { units: count.units * price.units, scale: count.scale + price.scale };
  });
  const scale = Math.max(CENT_PLACES, ...products.map((product) => product.scale));
  const sum = products.reduce(
    (total, product) => total + product.units * 10n ** BigInt(scale - product.scale),
    0n,
  );
  return divideHalfUp(sum, 10n ** BigInt(scale - CENT_PLACES));
}

/** What a payer by bank transfer is billed on top, whole NGN: 2.5 % rounded up, at least 30. */
export function payerServiceChargeNgn(amount_ngn: string): bigint {
  const { units, scale } = exact(amount_ngn);
  const charge = divideUp(units * 25n, 1000n * 10n ** BigInt(scale));
  return charge > 30n ? charge : 30n;
}

function exact(text: string): Decimal {
  const decimal = parseDecimal(text);
  invariant(decimal && decimal.units >= 0n, 'amounts of an invoice are read before it is made');
  return decimal;
}
