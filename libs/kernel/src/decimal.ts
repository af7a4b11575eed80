import { invariant } from './invariant';

/** An exact decimal number: `units` × 10^-`scale`. */
export type Decimal = { readonly units: bigint; readonly scale: number };

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Reads a JSON number's text by value: `10.50`, `1E2`. Null when it is not a finite decimal number. */
export function parseDecimal(text: string): Decimal | null {
  const parts = DECIMAL.exec(text);
  if (!parts) return null;
  const [, sign, whole = '0', fraction = '', exponent = '0'] = parts;
  let units = BigInt(whole + fraction);
  let scale = fraction.length - Number(exponent);
  if (Math.abs(scale) > 400) return null;
  if (scale < 0) {
    units *= 10n ** BigInt(-scale);
    scale = 0;
  }
  while (scale > 0 && units % 10n === 0n) {
    units /= 10n;
    scale -= 1;
  }
  return { units: sign === '-' ? -units : units, scale };
}

/** The exact value that a double prints as: 8.2 is 8.2, not 8.199999999999999. */
export function decimalOf(value: number): Decimal {
  const decimal = parseDecimal(String(value));
  invariant(decimal, 'only finite numbers have a decimal value');
  return decimal;
}

/** Base units at `scale` places, or null when the value has more places than that. */
export function toUnits(decimal: Decimal, scale: number): bigint | null {
  if (decimal.scale > scale) return null;
  return decimal.units * 10n ** BigInt(scale - decimal.scale);
}

/** Of a value above 0: the nearest one above 0 that has so many places, as text. 0.001 becomes `0.01`. */
export function nearestPositive({ units, scale }: Decimal, places: number): string {
  invariant(scale > places && units > 0n, 'only a value above 0 with more places has a nearest one');
  const kept = divideHalfUp(units, 10n ** BigInt(scale - places));
  return formatUnits(kept > 0n ? kept : 1n, places);
}

/** `fromUnits(1050n, 2)` is the JSON number 10.5. Callers keep amounts below 2^53 units. */
export function fromUnits(units: bigint, scale: number): number {
  return Number(formatUnits(units, scale));
}

/** `formatUnits(1500000n, 6)` is `1.5`: no exponent, no trailing zero, as a Solana Pay amount wants it. */
export function formatUnits(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return sign + whole + (fraction ? `.${fraction}` : '');
}

/** Integer division of non-negative numbers, rounded up: amounts due never round in the payer's favour. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  invariant(
    dividend >= 0n && divisor > 0n,
    'divideUp takes a non-negative dividend and a positive divisor',
  );
  return (dividend + divisor - 1n) / divisor;
}

/** Integer division of non-negative numbers, half up: the rule for cents (specification §2.3). */
export function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  invariant(
    dividend >= 0n && divisor > 0n,
    'divideHalfUp takes a non-negative dividend and a positive divisor',
  );
  return (2n * dividend + divisor) / (2n * divisor);
}
