import { decimalOf, parseDecimal, type Decimal } from '@tender/kernel';

/**
 * The number as it was written, null where it has more digits than a client writes. Undefined where the double has its
 * value: 10.000000 and 1E2 do, 1.0000000000000001 does not.
 */
export function inexactlyHeld(digits: string, value: number): Decimal | null | undefined {
  // 15 significant digits always survive the way into a double and back.
  if (digits.length <= 15 && !/[eE]/.test(digits)) return undefined;
  if (digits.length > 400) return null;
  const written = parseDecimal(digits);
  const held = decimalOf(value);
  const is_exact =
    written !== null && written.units === held.units && written.scale === held.scale;
  return is_exact ? undefined : written;
}
