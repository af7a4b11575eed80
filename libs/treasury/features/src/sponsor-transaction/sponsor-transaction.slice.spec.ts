import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SponsoredTransfer } from '@tender/contracts';
import { Unavailable, type ChainAccount } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { ASSERT_PROGRAM, readMessage, transactionFee } from '@tender/transactions';
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
  askWithdrawal,
  GaslessShop,
  offered,
  paid,
  signatureOf,
  submit,
} from '../testing/gasless-shop';
import { sponsorship } from '../sponsor/sponsorship.aggregate';
import { keyInMemory } from '../sponsor/sponsor-key';
import { treasuryHouse, type TreasuryParts } from '../testing/treasury-stage';

const RENT = 2_039_280n;
const shop = new GaslessShop();
let house: Awaited<ReturnType<typeof treasuryHouse>>;
let stage: ContextStage;
let merchant: string;

const opened = (changes: Partial<TreasuryParts> = {}) =>
  house.open({ ports: { chains: shop.chains() }, sponsor: shop.sponsor, ...changes });

beforeAll(async () => {
  await shop.start();
  house = await treasuryHouse();
  stage = await opened();
  merchant = await shop.merchant();
});
afterAll(async () => {
  await house.close();
  await shop.local.stop();
});

/** Until the log says that it has ended, and how. */
async function ended(payment_id: string, of = stage): Promise<string> {
  for (;;) {
    const state = await sponsorship.load(of.runtime, 'test', payment_id);
    if (state && state.status !== 'offered' && state.status !== 'in_flight') return state.status;
    await sleep(20);
  }
}
const feeOf = (bytes: Uint8Array): bigint => transactionFee(readMessage(bytes));

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
    expect(await ended(payment.payment_id)).toBe('landed');
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
  const closing = await opened({
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
  expect(await ended(first.payment_id, closing)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(feeOf(one.bytes) + RENT);
  await shop.give(recipient, 'USDC', 1n);
  expect(await submit(closing, second, signedBy(other.bytes, customers[1]))).toMatchObject({
    refusal: 'gasless_unavailable',
    details: { reason: 'account_made_before' },
  });
  stage = await opened();
});

test('the merchant’s missing account is made once, at the sponsor’s cost', async () => {
  const recipient = freshTestWallet().address;
  const customer = await shop.customer();
  const payment = shop.payment(customer, recipient);
  const { bytes } = await offered(stage, payment);
  const before = await shop.lamports();
  await submit(stage, payment, signedBy(bytes, customer));
  expect(await ended(payment.payment_id)).toBe('landed');
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
  expect(await ended(payment.payment_id)).toBe('landed');
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
    expect(await ended(payment.payment_id)).toBe('landed');
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
  expect(await ended(payment.payment_id)).toBe('landed');
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(await shop.tokens(customer.address)).toBe(90_000_000n);
  expect(signatureOf(await submit(stage, payment, signed))).toBe(signatureOf(outcomes[0] as never));
});

describe('one transaction at a time', () => {
  test('of a payment: other bytes and another offer wait for the end of the first', async () => {
    const held = await opened({
      ports: { chains: shop.chains({ send: () => Promise.reject(new Unavailable('the chain')) }) },
    });
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const { bytes } = await offered(held, payment);
    const signature = signatureOf(await submit(held, payment, signedBy(bytes, customer)));
    const dearer = changedMessage(bytes, budgeted(70_000, 6_000n));
    const IN_FLIGHT = { ok: false, refusal: 'submission_in_flight' };
    expect(await submit(held, payment, signedBy(dearer, customer))).toEqual(IN_FLIGHT);
    expect(await askOffer(held, payment)).toEqual(IN_FLIGHT);
    // 83: the same bytes are the same transaction.
    expect(signatureOf(await submit(held, payment, signedBy(bytes, customer)))).toBe(signature);
    // Another payment out of the same account, for which the money may not be enough.
    const second = shop.payment(customer, merchant);
    const other = await offered(held, second);
    expect(await submit(held, second, signedBy(other.bytes, customer))).toEqual(IN_FLIGHT);
    stage = await opened();
    expect(await ended(payment.payment_id)).toBe('landed');
    expect(await submit(stage, payment, signedBy(dearer, customer))).toEqual(IN_FLIGHT);
  });

  test('83: a new one is offered once the first can land no more', async () => {
    const lost = await opened({
      ports: { chains: shop.chains({ send: () => Promise.reject(new Unavailable('the chain')) }) },
    });
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const before = await shop.lamports();
    const first = signatureOf(await paid(lost, payment, customer));
    await shop.local.control('localnet_warpSlots', { slots: 12_200 });
    expect(await ended(payment.payment_id, lost)).toBe('dropped');
    stage = await opened();
    expect(await shop.lamports()).toBe(before);
    const second = signatureOf(await paid(stage, payment, customer));
    expect(second).not.toBe(first);
    expect(await ended(payment.payment_id)).toBe('landed');
    expect(await shop.tokens(customer.address)).toBe(90_000_000n);
  });
});

test('79: a customer who empties the wallet after the simulation costs one fee, which counts', async () => {
  const customer = await shop.customer();
  const emptied = await opened({
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
  expect(await ended(payment.payment_id, emptied)).toBe('failed');
  expect(before - (await shop.lamports())).toBe(feeOf(bytes));
  expect(await askOffer(emptied, shop.payment(customer, merchant))).toMatchObject({
    refusal: 'gasless_unavailable',
    details: { reason: 'wallet_quota' },
  });
  stage = await opened();
});

describe('82, 84: nothing is signed', () => {
  test('for a payment that has expired', async () => {
    const customer = await shop.customer();
    const expires_at = isoTime(performance.timeOrigin + performance.now());
    const payment = shop.payment(customer, merchant, { expires_at });
    expect(await paid(stage, payment, customer)).toEqual({ ok: false, refusal: 'payment_expired' });
  });

  test('where the sponsor is nearly empty, has no key, or another one than was offered', async () => {
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const empty = keyInMemory(randomBytes(32));
    await shop.give(empty.address, 'SOL', 890_880n + 9_999n);
    for (const [sponsor, reason] of [
      [empty, 'sponsor_balance_low'],
      [null, 'no_sponsor'],
    ] as const) {
      const poor = await opened({ sponsor });
      expect(await askOffer(poor, payment)).toMatchObject({ details: { reason } });
    }
    stage = await opened();
    const { bytes } = await offered(stage, payment);
    const other = await opened({ sponsor: keyInMemory(randomBytes(32)) });
    expect(await submit(other, payment, signedBy(bytes, customer))).toMatchObject({
      details: { reason: 'fee_payer_mismatch' },
    });
    stage = await opened();
  });

  test('again for one that has expired meanwhile', async () => {
    let sent = 0;
    let looked = 0;
    const lost = await opened({
      ports: {
        chains: shop.chains({
          async send() {
            sent += 1;
            throw new Unavailable('the chain');
          },
          signatureStatuses(signatures) {
            looked += 1;
            return shop.chain.signatureStatuses(signatures);
          },
        }),
      },
    });
    const customer = await shop.customer();
    signatureOf(await paid(lost, shop.payment(customer, merchant), customer));
    lost.advance(900_001);
    const [was_sent, was_looked] = [sent, looked];
    while (looked < was_looked + 50) await sleep(20);
    // One that was under way when the time came may have been sent.
    expect(sent).toBeLessThanOrEqual(was_sent + 1);
    await shop.local.control('localnet_warpSlots', { slots: 12_200 });
    stage = await opened();
  });

  test('over a blockhash that is dead', async () => {
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const { bytes } = await offered(stage, payment);
    await shop.local.control('localnet_warpSlots', { slots: 12_200 });
    expect(await submit(stage, payment, signedBy(bytes, customer))).toMatchObject({
      refusal: 'invalid_transaction',
      details: { reason: 'blockhash_expired' },
    });
  });
});

test('what was withdrawn is not signed any more; what may land is not withdrawn', async () => {
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const withdrawn = { ok: true, value: { withdrawn: true } };
  expect(await askWithdrawal(stage, payment)).toEqual(withdrawn);
  const { bytes } = await offered(stage, payment);
  expect(await askWithdrawal(stage, payment)).toEqual(withdrawn);
  expect(await submit(stage, payment, signedBy(bytes, customer))).toMatchObject({
    refusal: 'invalid_transaction',
    details: { reason: 'not_offered' },
  });
  const { recent_blockhash } = readMessage(bytes);
  while ((await shop.chain.latestBlockhash()).blockhash === recent_blockhash);
  const next = await offered(stage, payment);
  expect(next.message).not.toBe(Buffer.from(bytes).toString('base64'));
  expect(await submit(stage, payment, signedBy(bytes, customer))).toMatchObject({
    refusal: 'invalid_transaction',
  });
  expect(await offered(stage, { ...payment, standing: next.message })).toEqual(next);
  signatureOf(await submit(stage, payment, signedBy(next.bytes, customer)));
  expect(await askWithdrawal(stage, payment)).toEqual({
    ok: false,
    refusal: 'submission_in_flight',
  });
});

test('a process says for which modes it has a sponsor, and what to set where it has none', async () => {
  const said: unknown[] = [];
  const log = {
    info: ({ mode, sponsor }: Record<string, unknown>) => void said.push(['paid by', mode, sponsor]),
    warn: ({ mode, setting }: Record<string, unknown>) => void said.push(['set', mode, setting]),
    error: () => undefined,
  };
  await opened({ ports: { chains: shop.chains(), log } });
  expect(said).toEqual([
    ['paid by', 'test', shop.sponsor.address],
    ['set', 'live', 'SPONSOR_KEY_FILE_LIVE'],
  ]);
  stage = await opened();
});

test('85: neither the key nor a whole transaction is in the log lines or in errors', async () => {
  const lines: unknown[] = [];
  const write = (fields: object, text: string): void => void lines.push({ ...fields, text });
  const told = await opened({
    ports: {
      chains: shop.chains({ send: () => Promise.reject(new Unavailable('the chain')) }),
      log: { info: write, warn: write, error: write },
    },
  });
  const customer = await shop.customer();
  const payment = shop.payment(customer, merchant);
  const { bytes } = await offered(told, payment);
  const signed = signedBy(bytes, customer);
  await submit(told, payment, signed);
  await submit(told, payment, 'broken');
  stage = await opened();
  expect(lines.length).toBeGreaterThan(0);
  const text = JSON.stringify(lines);
  expect(text).not.toContain(Buffer.from(signed).toString('base64').slice(100, 140));
  expect(text).not.toContain('secret');
  expect(JSON.stringify(shop.sponsor)).toBe(JSON.stringify({ address: shop.sponsor.address }));
});
