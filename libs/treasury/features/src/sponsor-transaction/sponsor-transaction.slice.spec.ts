import type { SponsoredTransfer } from '@tender/contracts';
import type { ChainAccount } from '@tender/eventing';
import { ASSERT_PROGRAM } from '@tender/transactions';
import {
  adding,
  assert,
  budgeted,
  changedMessage,
  freshTestWallet,
  signedBy,
  use,
} from '@tender/transactions/testing';
import type { ContextStage } from '@tender/runtime/testing';
import {
  askOffer,
  ended,
  feeOf,
  GaslessShop,
  offered,
  signatureOf,
  submit,
} from '../testing/gasless-shop';

const RENT = 2_039_280n;
const shop = new GaslessShop();
let stage: ContextStage;
let merchant: string;

beforeAll(async () => {
  await shop.start();
  stage = await shop.open();
  merchant = await shop.merchant();
});
afterAll(() => shop.close());

describe('74, 76: a customer without a lamport pays', () => {
  test.each(['USDC', 'USDT', 'SOL'] as const)('in %s', async (token) => {
    const customer = freshTestWallet();
    await shop.give(customer.address, token, 50_000_000n);
    await shop.give(merchant, token, 1_000_000n);
    const token_mint = token === 'SOL' ? null : shop.local.network.mints[token];
    const payment = shop.payment(customer, merchant, { token, token_mint });
    const { bytes, fee_payer } = await offered(stage, payment);
    expect(fee_payer).toBe(shop.sponsor.address);
    const before = await shop.lamports();
    const signature = signatureOf(await submit(stage, payment, signedBy(bytes, customer)));
    expect(await ended(stage, payment.payment_id)).toBe('landed');
    expect((await shop.chain.balances(merchant))[token]).toBeGreaterThanOrEqual(10_000_000n);
    expect((await shop.chain.balances(customer.address))[token]).toBe(40_000_000n);
    expect(before - (await shop.lamports())).toBe(feeOf(bytes));
    const [found] = await shop.chain.transactionsOf(payment.reference, 0);
    expect(found).toMatchObject({ signature, failed: false, fee_payer: shop.sponsor.address });
  });
});

const close = (address: string) =>
  shop.local.control('localnet_setAccount', {
    ...{ address, lamports: 0, owner: '11111111111111111111111111111111', data: '' },
  });

test('an account that its owner makes for the simulation and closes right after it costs its rent once', async () => {
  const recipient = freshTestWallet().address;
  const account = shop.chain.tokenAccount(recipient, 'USDC');
  const closing = await shop.open({
    ports: {
      chains: shop.chains({
        async send(bytes) {
          await close(account);
          return shop.chain.send(bytes);
        },
      }),
    },
  });
  const customers = [await shop.customer(), await shop.customer()] as const;
  const payments = customers.map((customer) => shop.payment(customer, recipient));
  const [first, second] = payments as [SponsoredTransfer, SponsoredTransfer];
  // Both while the account is missing: each message makes it where it is not there.
  const [one, other] = [await offered(closing, first), await offered(closing, second)];
  const before = await shop.lamports();
  await shop.give(recipient, 'USDC', 1n);
  signatureOf(await submit(closing, first, signedBy(one.bytes, customers[0])));
  expect(await ended(closing, first.payment_id)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(feeOf(one.bytes) + RENT);
  await shop.give(recipient, 'USDC', 1n);
  expect(await submit(closing, second, signedBy(other.bytes, customers[1]))).toMatchObject({
    refusal: 'gasless_unavailable',
    details: { reason: 'account_made_before' },
  });
  stage = await shop.open();
});

test('the merchant’s missing account is made once, at the sponsor’s cost', async () => {
  const recipient = freshTestWallet().address;
  const customer = await shop.customer();
  const payment = shop.payment(customer, recipient);
  const { bytes } = await offered(stage, payment);
  const before = await shop.lamports();
  await submit(stage, payment, signedBy(bytes, customer));
  expect(await ended(stage, payment.payment_id)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(feeOf(bytes) + RENT);
  // The owner closes it: the rent would be his again and again.
  await close(shop.chain.tokenAccount(recipient, 'USDC'));
  const other = await shop.customer();
  expect(await askOffer(stage, shop.payment(other, recipient))).toMatchObject({
    refusal: 'gasless_unavailable',
    details: { reason: 'account_made_before' },
  });
});

test('75: a compute budget that wallets add is signed, too', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const { bytes } = await offered(stage, payment);
  const dearer = changedMessage(bytes, budgeted(80_000, 200_000n));
  const before = await shop.lamports();
  signatureOf(await submit(stage, payment, signedBy(dearer, customer)));
  expect(await ended(stage, payment.payment_id)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(10_000n + 16_000n);
});

describe('75: asserts that wallets add', () => {
  /** Stands in for the program of asserts, which no local chain has: it succeeds where all it names have signed. */
  const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';
  beforeAll(async () => {
    const [program] = await shop.chain.accounts([MEMO_PROGRAM]);
    const { owner, lamports, data } = program as ChainAccount;
    await shop.local.control('localnet_setAccount', {
      ...{ address: ASSERT_PROGRAM, lamports: lamports.toString(), owner, executable: true },
      data: Buffer.from(data).toString('base64'),
    });
  });

  test.each([1, 2])('%d that hold are signed, and land', async (count) => {
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const { bytes } = await offered(stage, payment);
    const asserts = Array(count).fill(assert(use(customer.address)));
    const message = changedMessage(bytes, adding(...asserts));
    const before = await shop.lamports();
    signatureOf(await submit(stage, payment, signedBy(message, customer)));
    expect(await ended(stage, payment.payment_id)).toBe('landed');
    expect(before - (await shop.lamports())).toBe(feeOf(bytes));
    expect(await shop.tokens(customer.address)).toBe(90_000_000n);
  });

  test('one that does not hold is not signed: the sponsor would pay for a transaction that fails', async () => {
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const { bytes } = await offered(stage, payment);
    const message = changedMessage(bytes, adding(assert(use(merchant))));
    const before = await shop.lamports();
    expect(await submit(stage, payment, signedBy(message, customer))).toMatchObject({
      refusal: 'invalid_transaction',
      details: { reason: 'simulation_failed', error: expect.stringContaining('MissingRequiredSignature') },
    });
    expect(await shop.lamports()).toBe(before);
    signatureOf(await submit(stage, payment, signedBy(bytes, customer)));
  });
});

test('78: twenty at once are one signature and one fee', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const { bytes } = await offered(stage, payment);
  const before = await shop.lamports();
  const signed = signedBy(bytes, customer);
  const outcomes = await Promise.all(
    Array.from({ length: 20 }, () => submit(stage, payment, signed)),
  );
  expect(new Set(outcomes.map(signatureOf)).size).toBe(1);
  expect(await ended(stage, payment.payment_id)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(await shop.tokens(customer.address)).toBe(90_000_000n);
  expect(signatureOf(await submit(stage, payment, signed))).toBe(signatureOf(outcomes[0] as never));
});

test('79: a customer who empties the wallet after the simulation costs one fee, which counts', async () => {
  const customer = await shop.customer();
  const emptied = await shop.open({
    ports: {
      chains: shop.chains({
        async send(bytes) {
          await shop.local.control('localnet_setTokenBalance', {
            ...{ address: customer.address, token: 'USDC', amount: '0' },
          });
          return shop.chain.send(bytes);
        },
      }),
    },
    quotas: { per_wallet_day: 1 },
  });
  const payment = shop.payment(customer, merchant);
  const { bytes } = await offered(emptied, payment);
  const before = await shop.lamports();
  await submit(emptied, payment, signedBy(bytes, customer));
  expect(await ended(emptied, payment.payment_id)).toBe('failed');
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(await askOffer(emptied, shop.payment(customer, merchant))).toMatchObject({
    refusal: 'gasless_unavailable',
    details: { reason: 'wallet_quota' },
  });
  stage = await shop.open();
});
