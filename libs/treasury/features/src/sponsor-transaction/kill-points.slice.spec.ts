import { Unavailable } from '@tender/eventing';
import { readMessage, transactionFee } from '@tender/transactions';
import { signedBy } from '@tender/transactions/testing';
import type { ContextStage } from '@tender/runtime/testing';
import { book } from '../spending/spending.record';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { askOffer, GaslessShop, offered, paid, signatureOf, submit } from '../testing/gasless-shop';
import { treasuryHouse } from '../testing/treasury-stage';

const shop = new GaslessShop();
let house: Awaited<ReturnType<typeof treasuryHouse>>;
let merchant: string;

beforeAll(async () => {
  await shop.start();
  house = await treasuryHouse();
  merchant = await shop.merchant();
});
afterAll(async () => {
  await house.close();
  await shop.local.stop();
});

const opened = (changes: Parameters<GaslessShop['chains']>[0] = {}) =>
  house.open({ ports: { chains: shop.chains(changes) }, sponsor: shop.sponsor });
/** The process dies at that moment: nothing leaves it any more. */
const never = () =>
  Promise.reject(new Unavailable('the chain', { reason: 'this process is dead' }));
const dead = { send: never, signatureStatuses: never };

async function landed(stage: ContextStage, payment_id: string): Promise<void> {
  for (;;) {
    const state = await sponsorship.load(stage.runtime, 'test', payment_id);
    if (state?.status === 'landed') return;
    expect(['offered', 'in_flight']).toContain(state?.status);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
const feeOf = (bytes: Uint8Array): bigint => transactionFee(readMessage(bytes));

test('it dies between the record of the signature and the send: the next one sends it, once', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const before = await shop.lamports();
  const dying = await opened(dead);
  const { bytes } = await offered(dying, payment);
  const signature = signatureOf(await submit(dying, payment, signedBy(bytes, customer)));
  expect(await shop.chain.transactionsOf(payment.reference, 0)).toEqual([]);
  const next = await opened();
  await landed(next, payment.payment_id);
  const found = await shop.chain.transactionsOf(payment.reference, 0);
  expect(found.map((one) => one.signature)).toEqual([signature]);
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(signatureOf(await submit(next, payment, signedBy(bytes, customer)))).toBe(signature);
});

test('it dies after the send: the next one finds it on the chain, and sends no other', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const before = await shop.lamports();
  const dying = await opened({ signatureStatuses: never });
  const { bytes } = await offered(dying, payment);
  const signature = signatureOf(await submit(dying, payment, signedBy(bytes, customer)));
  while ((await shop.chain.transactionsOf(payment.reference, 0)).length === 0);
  const next = await opened();
  expect(await askOffer(next, payment)).toMatchObject({ refusal: 'submission_in_flight' });
  await landed(next, payment.payment_id);
  const found = await shop.chain.transactionsOf(payment.reference, 0);
  expect(found.map((one) => one.signature)).toEqual([signature]);
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(await shop.tokens(customer.address)).toBe(90_000_000n);
});

test('it dies between the booking and the record: nothing was signed, and the account is free again', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const stage = await opened();
  const { last_valid_block_height } = await offered(stage, payment);
  const account = shop.chain.tokenAccount(customer.address, 'USDC');
  const booking = {
    ...{ mode: 'test' as const, payment_id: payment.payment_id, message_hash: 'never signed' },
    ...{ merchant_id: 'merchant-1', customer_wallet: customer.address, address_hash: 'hash' },
    ...{ source_account: account, made_account: null, lamports: 10_000n, last_valid_block_height },
  };
  const { readModels, clock } = stage.runtime;
  await book(readModels, booking, clock.wall(), () => null);
  expect(await paid(stage, payment, customer)).toMatchObject({ refusal: 'submission_in_flight' });
  await shop.local.control('localnet_warpSlots', { slots: 12_200 });
  const next = await opened();
  for (;;) {
    const outcome = await paid(next, payment, customer);
    if (outcome.ok) break;
    expect(outcome.refusal).toBe('submission_in_flight');
  }
  await landed(next, payment.payment_id);
});
