import { Unavailable, type Chain } from '@tender/eventing';
import { computeBudgetOf, readMessage } from '@tender/transactions';
import { signedBy } from '@tender/transactions/testing';
import type { ContextStage } from '@tender/runtime/testing';
import { askOffer, GaslessShop, offered, paid, signatureOf, submit } from '../testing/gasless-shop';

const shop = new GaslessShop();
/** What the chain tells of its prices. */
let prices: Chain['recentUnitPrices'] = async () => [];
let stage: ContextStage;
let merchant: string;

beforeAll(async () => {
  await shop.start();
  const chains = shop.chains({ recentUnitPrices: (addresses) => prices(addresses) });
  stage = await shop.open({ ports: { chains } });
  merchant = await shop.merchant();
});
afterAll(() => shop.close());

const priceOf = (bytes: Uint8Array) => computeBudgetOf(readMessage(bytes)).unit_price;

test('asked again a little later, the offer is the same message; of another wallet it is not', async () => {
  const [customer, other] = [await shop.customer(), await shop.customer()];
  const payment = shop.payment(customer, merchant);
  const first = await offered(stage, payment);
  expect(await offered(stage, payment)).toEqual(first);
  const replaced = await offered(stage, { ...payment, customer_wallet: other.address });
  expect(replaced.message).not.toBe(first.message);
  expect(await submit(stage, payment, signedBy(first.bytes, customer))).toMatchObject({
    details: { reason: 'unexpected_signers' },
  });
});

test('the sponsor’s own wallet is offered nothing', async () => {
  const payment = shop.payment(shop.sponsors_signer, merchant);
  expect(await askOffer(stage, payment)).toMatchObject({
    refusal: 'gasless_unavailable',
    details: { reason: 'payer_is_sponsor' },
  });
});

test('it offers the usual price of the accounts, and stays the same when that changes', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const account = shop.chain.tokenAccount(merchant, 'USDC');
  prices = async (addresses) => (addresses.includes(account) ? [30n, 10n, 40n, 20n] : []);
  const first = await offered(stage, payment);
  expect(priceOf(first.bytes)).toBe(40n);
  prices = async () => [7n];
  expect(await offered(stage, payment)).toEqual(first);
});

test('a price beyond the bound is offered up to it, and the sponsor signs that', async () => {
  const customer = await shop.customer();
  prices = async () => [10n ** 15n];
  const before = await shop.lamports();
  signatureOf(await paid(stage, shop.payment(customer, merchant), customer));
  while ((await shop.lamports()) === before);
  const spent = before - (await shop.lamports());
  expect(spent).toBeGreaterThan(59_000n);
  expect(spent).toBeLessThanOrEqual(60_000n);
});

test('prices that cannot be had end no offer', async () => {
  const customer = await shop.customer();
  prices = () => Promise.reject(new Unavailable('the chain'));
  const { bytes } = await offered(stage, shop.payment(customer, merchant));
  expect(priceOf(bytes)).toBeGreaterThan(0n);
});
