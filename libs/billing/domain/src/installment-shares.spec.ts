import fc from 'fast-check';
import { scheduleOf, sharesOf } from './installment-shares';
import { between, DAY_MS } from './time';

const total = fc.bigInt({ min: 1n, max: 99_999_999_999n });
const count = fc.integer({ min: 2, max: 24 });

test.each([
  [10_000n, 3, [3333n, 3333n, 3334n]],
  [10_000n, 4, [2500n, 2500n, 2500n, 2500n]],
  [25n, 24, [...Array.from({ length: 23 }, () => 1n), 2n]],
  [47n, 24, [...Array.from({ length: 23 }, () => 1n), 24n]],
  [1n, 2, [0n, 1n]],
])('%d in %i shares', (cents, n, shares) => {
  expect(sharesOf(cents, n)).toEqual(shares);
});

test('shares sum to the total, for every total and count; all but the last are equal, and that is no smaller', () => {
  fc.assert(
    fc.property(total, count, (cents, n) => {
      const shares = sharesOf(cents, n);
      const [first = 0n, last = 0n] = [shares[0], shares.at(-1)];
      expect(shares.length).toBe(n);
      expect(shares.reduce((sum, share) => sum + share, 0n)).toBe(cents);
      expect(shares.slice(0, -1).every((share) => share === first)).toBe(true);
      expect(first * BigInt(n) <= cents && (first + 1n) * BigInt(n) > cents).toBe(true);
      expect(last >= first && last - first < BigInt(n)).toBe(true);
    }),
  );
});

test('each is due so many days after the one before, over whatever month ends', () => {
  fc.assert(
    fc.property(total, count, fc.integer({ min: 1, max: 400 }), (cents, n, days) => {
      const schedule = scheduleOf({
        ...{ total_usd_cents: cents.toString(), installment_count: n },
        payment_frequency_days: days,
        first_payment_date: '2027-12-31T23:59:59.999Z',
      });
      for (const [index, { installment_number, due_date }] of schedule.entries()) {
        expect(installment_number).toBe(index + 1);
        expect(between('2027-12-31T23:59:59.999Z', due_date)).toBe(index * days * DAY_MS);
      }
    }),
  );
});
