import fc from 'fast-check';
import { priceOf, type Price, type Priced } from './price';

const usd = (amount_minor: bigint, rest: Partial<Priced> = {}): Price | null =>
  priceOf({ amount_minor, currency_rate: null, token: 'USDC', token_rate: null, ...rest });

test.each([
  ['10.50 USD in USDC', usd(1050n), 1050n, 10_500_000n],
  ['0.01 USD in USDT', usd(1n, { token: 'USDT' }), 1n, 10_000n],
  ['10 EUR at 1.08', usd(1000n, { currency_rate: '1.08' }), 1080n, 10_800_000n],
  ['10.01 EUR at 1.08 = 10.8108', usd(1001n, { currency_rate: '1.08' }), 1081n, 10_810_800n],
  ['0.99 GBP at 1.27 = 1.2573', usd(99n, { currency_rate: '1.27' }), 126n, 1_257_300n],
  ['1.25 at 1.1 = 1.375, half up', usd(125n, { currency_rate: '1.1' }), 138n, 1_375_000n],
  ['30 USD in SOL at 150', usd(3000n, { token: 'SOL', token_rate: '150' }), 3000n, 200_000_000n],
  [
    '1 USD in SOL at 150, rounded up',
    usd(100n, { token: 'SOL', token_rate: '150' }),
    100n,
    6_666_667n,
  ],
  [
    '8.99 GBP in SOL',
    usd(899n, { currency_rate: '1.27', token: 'SOL', token_rate: '150' }),
    1142n,
    76_115_334n,
  ],
  [
    'a rate with more places than the token',
    usd(100n, { currency_rate: '1.00000000001' }),
    100n,
    1_000_001n,
  ],
])('%s', (_, price, amount_usd_cents, token_amount) => {
  expect(price).toEqual({ amount_usd_cents, token_amount });
});

test.each(['0', '-1', 'NaN', '', '1/2'])('"%s" is not a rate', (rate) => {
  expect(usd(100n, { currency_rate: rate })).toBeNull();
  expect(usd(100n, { token: 'SOL', token_rate: rate })).toBeNull();
});

const minor = fc.bigInt({ min: 1n, max: 99_999_999n });
const micros = fc.bigInt({ min: 1n, max: 10n ** 12n });
const decimal = (millionths: bigint): string =>
  `${millionths / 1_000_000n}.${String(millionths % 1_000_000n).padStart(6, '0')}`;

test('what is due is the exact value, less than one base unit more and never less', () => {
  fc.assert(
    fc.property(minor, micros, micros, (amount_minor, currency, token) => {
      const price = usd(amount_minor, {
        currency_rate: decimal(currency),
        token: 'SOL',
        token_rate: decimal(token),
      });
      // due / 10^9 × token/10^6 USD against amount/10^2 × currency/10^6 USD, times 10^15.
      const worth = (due: bigint) => due * token;
      const asked = amount_minor * currency * 10n ** 7n;
      const due = price?.token_amount ?? 0n;
      expect(worth(due) >= asked).toBe(true);
      expect(worth(due - 1n) < asked).toBe(true);
    }),
  );
});

test('however little is asked for and whatever a token is worth, at least one base unit is due', () => {
  const rate = fc.bigInt({ min: 1n, max: 10n ** 24n }).map(decimal);
  fc.assert(
    fc.property(minor, rate, rate, (amount_minor, currency_rate, token_rate) => {
      for (const token of ['USDC', 'USDT', 'SOL'] as const) {
        const at = { currency_rate, token, token_rate: token === 'SOL' ? token_rate : null };
        expect(usd(amount_minor, at)?.token_amount).toBeGreaterThanOrEqual(1n);
      }
    }),
  );
  expect(usd(1n, { token: 'SOL', token_rate: '1000000000000' })?.token_amount).toBe(1n);
});

test('the USD amount is within half a cent of the exact value', () => {
  fc.assert(
    fc.property(minor, micros, (amount_minor, currency) => {
      const price = usd(amount_minor, { currency_rate: decimal(currency) });
      const exact_millionths = amount_minor * currency;
      const off = (price?.amount_usd_cents ?? 0n) * 1_000_000n - exact_millionths;
      expect(off > -500_000n && off <= 500_000n).toBe(true);
    }),
  );
});

test('more money asked for is never less due', () => {
  fc.assert(
    fc.property(minor, micros, (amount_minor, token) => {
      const at = { token: 'SOL', token_rate: decimal(token) } as const;
      const [less, more] = [usd(amount_minor, at), usd(amount_minor + 1n, at)];
      expect((more?.token_amount ?? 0n) >= (less?.token_amount ?? 1n)).toBe(true);
    }),
  );
});
