import fc from 'fast-check';
import {
  decimalOf,
  divideHalfUp,
  divideUp,
  formatUnits,
  fromUnits,
  nearestPositive,
  parseDecimal,
  toUnits,
  type Decimal,
} from './decimal';

const units = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const scale = fc.integer({ min: 0, max: 18 });
const natural = fc.bigInt({ min: 0n, max: 10n ** 24n });
const divisor = fc.bigInt({ min: 1n, max: 10n ** 12n });

describe('parseDecimal', () => {
  it.each([
    ['10.50', 105n, 1],
    ['1E2', 100n, 0],
    ['1.5e-3', 15n, 4],
    ['-0.10', -1n, 1],
    ['0', 0n, 0],
    ['000.000', 0n, 0],
    ['12300e-2', 123n, 0],
  ])('reads %s by value', (text, expected, places) => {
    expect(parseDecimal(text)).toEqual({ units: expected, scale: places });
  });

  it.each(['', '.5', '1.', '+1', '0x10', 'NaN', 'Infinity', '1e99999', '1e401', '١٠', '1 ', '1_0'])(
    'does not read %j',
    (text) => {
      expect(parseDecimal(text)).toBeNull();
    },
  );

  it('reads back what formatUnits wrote', () => {
    fc.assert(
      fc.property(units, scale, (value, places) => {
        const read = parseDecimal(formatUnits(value, places));
        expect(read && toUnits(read, places)).toBe(value);
      }),
    );
  });

  it('has no needless places', () => {
    fc.assert(
      fc.property(units, scale, (value, places) => {
        const read = parseDecimal(formatUnits(value, places));
        expect(read && (read.scale === 0 || read.units % 10n !== 0n)).toBe(true);
      }),
    );
  });
});

describe('decimalOf', () => {
  it('takes a double for what it prints as', () => {
    expect(toUnits(decimalOf(8.2), 6)).toBe(8_200_000n);
    expect(decimalOf(1e21)).toEqual({ units: 10n ** 21n, scale: 0 });
  });

  it('gives the same double back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e15, max: 1e15 }), (value) => {
        const { units: exact, scale: places } = decimalOf(value);
        expect(fromUnits(exact, places)).toBe(value === 0 ? 0 : value);
      }),
    );
  });

  it.each([NaN, Infinity, -Infinity])('has none for %s', (value) => {
    expect(() => decimalOf(value)).toThrow('finite');
  });
});

describe('nearestPositive', () => {
  it.each([
    ['10.555', 2, '10.56'],
    ['10.5549', 2, '10.55'],
    ['0.0049', 2, '0.01'],
    ['0.0000000001', 9, '0.000000001'],
  ])('of %s with %i places is %s', (text, places, nearest) => {
    expect(nearestPositive(parseDecimal(text) as Decimal, places)).toBe(nearest);
  });
});

describe('toUnits', () => {
  it('is null when the value has more places', () => {
    expect(toUnits({ units: 1n, scale: 7 }, 6)).toBeNull();
    expect(toUnits({ units: 1n, scale: 6 }, 6)).toBe(1n);
  });
});

describe('formatUnits', () => {
  it.each([
    [1_500_000n, 6, '1.5'],
    [1n, 9, '0.000000001'],
    [-5n, 1, '-0.5'],
    [0n, 6, '0'],
    [100n, 0, '100'],
  ])('%s at %s places is %s', (value, places, text) => {
    expect(formatUnits(value, places)).toBe(text);
  });
});

describe('division', () => {
  it('rounds amounts due up, never by a whole unit', () => {
    fc.assert(
      fc.property(natural, divisor, (dividend, by) => {
        const quotient = divideUp(dividend, by);
        expect(quotient * by >= dividend).toBe(true);
        expect((quotient - 1n) * by < dividend).toBe(true);
      }),
    );
  });

  it('rounds cents half up', () => {
    expect([10n, 14n, 15n, 16n].map((value) => divideHalfUp(value, 10n))).toEqual([1n, 1n, 2n, 2n]);
    fc.assert(
      fc.property(natural, divisor, (dividend, by) => {
        const error = 2n * (divideHalfUp(dividend, by) * by - dividend);
        expect(error <= by && error > -by).toBe(true);
      }),
    );
  });

  it('takes no negative number and no zero divisor', () => {
    for (const divide of [divideUp, divideHalfUp]) {
      expect(() => divide(-1n, 2n)).toThrow('non-negative');
      expect(() => divide(1n, 0n)).toThrow('non-negative');
    }
  });
});
