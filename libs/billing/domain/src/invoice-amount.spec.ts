import { formatUnits } from '@tender/kernel';
import fc from 'fast-check';
import { lineItemsTotal, payerServiceChargeNgn } from './invoice-amount';

const item = (quantity: string, unit_price: string) => ({ description: 'x', quantity, unit_price });

test.each([
  [[item('1', '0.1'), item('1', '0.2')], 30n],
  [[item('3', '33.33')], 9_999n],
  [[item('1.5', '0.01')], 2n],
  [[item('0.5', '0.01')], 1n],
  [[item('0.333', '0.01'), item('0.333', '0.01')], 1n],
  [[item('0.25', '0.01'), item('0.24', '0.01')], 0n],
  [[item('1E2', '9.99')], 99_900n],
  [[], 0n],
])('%j is %d cents', (items, cents) => {
  expect(lineItemsTotal(items)).toBe(cents);
});

const places = fc.integer({ min: 0, max: 6 });
const decimal = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 12n }), places);

test('the sum is exact and rounded once, half up, in whatever order the items are', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(decimal, decimal), { maxLength: 30 }), (all) => {
      const items = all.map(([[count, by], [price, at]]) =>
        item(formatUnits(count, by), formatUnits(price, at)),
      );
      const exact = all.reduce(
        (sum, [[count, by], [price, at]]) => sum + count * price * 10n ** BigInt(12 - by - at),
        0n,
      );
      const cents = (exact + 5n * 10n ** 9n) / 10n ** 10n;
      expect(lineItemsTotal(items)).toBe(cents);
      expect(lineItemsTotal(items.toReversed())).toBe(cents);
    }),
  );
});

test('what was not read as an amount is no amount', () => {
  expect(() => lineItemsTotal([item('-1', '1')])).toThrow('read before');
  expect(() => lineItemsTotal([item('one', '1')])).toThrow('read before');
});

test.each([
  ['1', 30n],
  ['1200', 30n],
  ['1200.01', 31n],
  ['1240', 31n],
  ['1240.01', 32n],
  ['100000', 2_500n],
])('who pays %s NGN by transfer is charged %d NGN on top', (amount, charge) => {
  expect(payerServiceChargeNgn(amount)).toBe(charge);
});
