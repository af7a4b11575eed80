import fc from 'fast-check';
import { Norm, NORM_PAYMENTS_MAX } from './norm';

const of = (amounts: readonly bigint[]): Norm => {
  const norm = new Norm();
  amounts.forEach((amount, index) => norm.add(`pay-${index}`, amount));
  return norm;
};

test('the norm is the median of 20 payments or more, in cents', () => {
  const amounts = Array.from({ length: 20 }, (_, index) => BigInt((index + 1) * 100));
  expect(of(amounts.slice(1)).medianWithout('another')).toBeNull();
  expect(of(amounts).medianWithout('another')).toBe(1050n);
  expect(of([...amounts, 1n]).medianWithout('another')).toBe(1000n);
});

test('of any amounts it is the middle of the newest, whichever payment is left out', () => {
  const some = fc.array(fc.bigInt({ min: 0n, max: 500n }), { maxLength: 2.5 * NORM_PAYMENTS_MAX });
  fc.assert(
    fc.property(some, fc.nat(260), (amounts, left_out) => {
      const newest = amounts
        .map((amount, index) => ({ amount, index }))
        .slice(-NORM_PAYMENTS_MAX)
        .filter(({ index }) => index !== left_out)
        .map(({ amount }) => amount)
        .sort((one, other) => Number(one - other));
      const middle = newest.length >> 1;
      const [below, above] = [newest[middle - 1] ?? 0n, newest[middle] ?? 0n];
      const median = newest.length % 2 === 1 ? above : (below + above) / 2n;
      const found = of(amounts).medianWithout(`pay-${left_out}`);
      expect(found).toBe(newest.length < 20 ? null : median);
    }),
  );
});

test('a payment that comes again counts once, as it was', () => {
  const norm = of(Array.from({ length: 20 }, () => 100n));
  norm.add('pay-0', 9_000n);
  expect(norm.medianWithout('pay-0')).toBeNull();
});
