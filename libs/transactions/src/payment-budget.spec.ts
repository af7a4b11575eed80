import { computeBudgetOf, transactionFee } from './compute-budget';
import { readMessage } from './message';
import { paymentBudget } from './payment-budget';
import { paymentMessage } from './payment-message';
import { creating, inSol, payment } from './testing/payments';

const telling = (...prices: readonly bigint[]) => ({ recentUnitPrices: async () => prices });

test.each([
  ['none', [], 0n],
  ['one', [7n], 7n],
  ['four, in any order', [40n, 10n, 30n, 20n], 40n],
  ['eight', [8n, 1n, 2n, 7n, 3n, 6n, 4n, 5n], 7n],
])('of %s the price is at the 75th percentile', async (_, prices, unit_price) => {
  expect((await paymentBudget(telling(...prices), payment)).unit_price).toBe(unit_price);
});

test.each([
  ['a transfer', payment, 60_000],
  ['a transfer that makes the account', creating, 120_000],
  ['SOL', inSol, 60_000],
])('%s offers 50,000 lamports at most beside its signatures', async (_, transfer, unit_limit) => {
  const compute = await paymentBudget(telling(10n ** 12n), transfer);
  const message = readMessage(paymentMessage({ ...transfer, compute }));
  expect(compute.unit_limit).toBe(unit_limit);
  expect(computeBudgetOf(message)).toEqual(compute);
  const signatures = 5_000n * BigInt(message.signers.length);
  const offered = transactionFee(message) - signatures;
  expect(offered).toBeLessThanOrEqual(50_000n);
  expect(offered).toBeGreaterThan(49_990n);
});

test('a network that does not tell its prices ends no payment', async () => {
  const recentUnitPrices = () => Promise.reject(new Error('method not found'));
  expect(await paymentBudget({ recentUnitPrices }, payment)).toEqual({
    ...{ unit_limit: 60_000, unit_price: 5_000n },
  });
});

test('it asks for the accounts that the transfer writes', async () => {
  const asked: (readonly string[])[] = [];
  const recentUnitPrices = async (addresses: readonly string[]) => {
    asked.push(addresses);
    return [];
  };
  await paymentBudget({ recentUnitPrices }, payment);
  await paymentBudget({ recentUnitPrices }, inSol);
  const { token, customer, recipient } = payment;
  expect(asked).toEqual([
    [token?.source, token?.destination],
    [customer, recipient],
  ]);
});
