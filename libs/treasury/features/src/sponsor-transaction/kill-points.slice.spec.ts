import type { SponsoredTransfer } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { messageHash } from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import type { ContextStage } from '@tender/runtime/testing';
import type { Quotas } from '@tender/treasury-domain';
import { book, type Spending } from '../spending/spending.record';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import {
  askOffer,
  ended,
  feeOf,
  GaslessShop,
  offered,
  paid,
  signatureOf,
  submit,
} from '../testing/gasless-shop';

const shop = new GaslessShop();
let merchant: string;

beforeAll(async () => {
  await shop.start();
  merchant = await shop.merchant();
});
afterAll(() => shop.close());

const opened = (changes: Parameters<GaslessShop['chains']>[0] = {}, quotas: Partial<Quotas> = {}) =>
  shop.open({ ports: { chains: shop.chains(changes) }, quotas });
/** The process dies at that moment: nothing leaves it any more. */
const never = () =>
  Promise.reject(new Unavailable('the chain', { reason: 'this process is dead' }));
const dead = { send: never, signatureStatuses: never };

test('it dies between the record of the signature and the send: the next one sends it, once', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const before = await shop.lamports();
  const dying = await opened(dead);
  const { bytes } = await offered(dying, payment);
  const signature = signatureOf(await submit(dying, payment, signedBy(bytes, customer)));
  expect(await shop.chain.transactionsOf(payment.reference, 0)).toEqual([]);
  const next = await opened();
  expect(await ended(next, payment.payment_id)).toBe('landed');
  const found = await shop.chain.transactionsOf(payment.reference, 0);
  expect(found.map((one) => one.signature)).toEqual([signature]);
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(signatureOf(await submit(next, payment, signedBy(bytes, customer)))).toBe(signature);
});

test('a follower that has not looked holds up no other payment of the customer', async () => {
  const customer = await shop.customer();
  const [first, second] = [shop.payment(customer, merchant), shop.payment(customer, merchant)];
  let looks = 0;
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (goOn = resolve));
  const stage = await opened({
    async signatureStatuses(signatures) {
      looks += 1;
      if (looks === 1) await held;
      return shop.chain.signatureStatuses(signatures);
    },
  });
  const signature = signatureOf(await paid(stage, first, customer));
  while (looks === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  for (;;) {
    const { statuses } = await shop.chain.signatureStatuses([signature]);
    if (statuses[0] && statuses[0].commitment !== 'processed') break;
  }
  const next = await paid(stage, second, customer);
  goOn();
  expect(next).toMatchObject({ ok: true });
  expect(await ended(stage, second.payment_id)).toBe('landed');
  expect((await sponsorship.load(stage.runtime, 'test', first.payment_id))?.status).toBe('landed');
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
  expect(await ended(next, payment.payment_id)).toBe('landed');
  const found = await shop.chain.transactionsOf(payment.reference, 0);
  expect(found.map((one) => one.signature)).toEqual([signature]);
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(await shop.tokens(customer.address)).toBe(90_000_000n);
});

/** A process has booked it for a payment, and died. */
async function bookedAndDied(
  { runtime: { readModels, clock } }: ContextStage,
  { payment_id, merchant_id, customer_wallet, recipient }: SponsoredTransfer,
  of: Pick<Spending, 'message_hash' | 'last_valid_block_height'>,
): Promise<void> {
  const account = (wallet: string) => shop.chain.tokenAccount(wallet, 'USDC');
  const booking = {
    ...{ mode: 'test' as const, payment_id, merchant_id, customer_wallet, ...of },
    ...{ source_account: account(customer_wallet), address_hash: 'hash', lamports: 10_000n },
    made_account: recipient === merchant ? null : account(recipient),
  };
  await book(readModels, booking, clock.wall(), () => null);
}

test.each([
  ['', () => merchant],
  [', and makes the merchant’s account', () => freshTestWallet().address],
])('it dies between the booking and the record: the same is signed after all, once%s', async (_, paid_to) => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, paid_to());
  const quotas = { per_wallet_day: 1 };
  const stage = await opened({}, quotas);
  const { bytes, last_valid_block_height } = await offered(stage, payment);
  const message_hash = messageHash(bytes);
  await bookedAndDied(stage, payment, { message_hash, last_valid_block_height });
  const next = await opened({}, quotas);
  const signature = signatureOf(await submit(next, payment, signedBy(bytes, customer)));
  expect(await ended(next, payment.payment_id)).toBe('landed');
  const found = await shop.chain.transactionsOf(payment.reference, 0);
  expect(found.map((one) => one.signature)).toEqual([signature]);
});

test('it dies between the booking of another and the record: nothing was signed, and the account is free again', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const stage = await opened();
  const { last_valid_block_height } = await offered(stage, payment);
  await bookedAndDied(stage, payment, { message_hash: 'never signed', last_valid_block_height });
  expect(await paid(stage, payment, customer)).toMatchObject({ refusal: 'submission_in_flight' });
  await shop.local.control('localnet_warpSlots', { slots: 12_200 });
  const next = await opened();
  for (;;) {
    const outcome = await paid(next, payment, customer);
    if (outcome.ok) break;
    expect(outcome.refusal).toBe('submission_in_flight');
  }
  expect(await ended(next, payment.payment_id)).toBe('landed');
});
