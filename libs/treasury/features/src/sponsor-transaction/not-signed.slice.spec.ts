import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { readMessage } from '@tender/transactions';
import { budgeted, changedMessage, signedBy } from '@tender/transactions/testing';
import type { ContextStage } from '@tender/runtime/testing';
import { keyInMemory } from '../fee-key';
import {
  askOffer,
  askWithdrawal,
  ended,
  GaslessShop,
  offered,
  paid,
  signatureOf,
  submit,
} from '../testing/gasless-shop';

const shop = new GaslessShop();
let stage: ContextStage;
let merchant: string;

beforeAll(async () => {
  await shop.start();
  stage = await shop.open();
  merchant = await shop.merchant();
});
afterAll(() => shop.close());

describe('one transaction at a time', () => {
  test('of a payment: other bytes and another offer wait for the end of the first', async () => {
    const held = await shop.open({
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
    stage = await shop.open();
    expect(await ended(stage, payment.payment_id)).toBe('landed');
    expect(await submit(stage, payment, signedBy(dearer, customer))).toEqual(IN_FLIGHT);
  });

  test('83: a new one is offered once the first can land no more', async () => {
    const lost = await shop.open({
      ports: { chains: shop.chains({ send: () => Promise.reject(new Unavailable('the chain')) }) },
    });
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const before = await shop.lamports();
    const first = signatureOf(await paid(lost, payment, customer));
    await shop.local.control('localnet_warpSlots', { slots: 12_200 });
    expect(await ended(lost, payment.payment_id)).toBe('dropped');
    stage = await shop.open();
    expect(await shop.lamports()).toBe(before);
    const second = signatureOf(await paid(stage, payment, customer));
    expect(second).not.toBe(first);
    expect(await ended(stage, payment.payment_id)).toBe('landed');
    expect(await shop.tokens(customer.address)).toBe(90_000_000n);
  });
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
      const poor = await shop.open({ sponsor });
      expect(await askOffer(poor, payment)).toMatchObject({ details: { reason } });
    }
    stage = await shop.open();
    const { bytes } = await offered(stage, payment);
    const other = await shop.open({ sponsor: keyInMemory(randomBytes(32)) });
    expect(await submit(other, payment, signedBy(bytes, customer))).toMatchObject({
      details: { reason: 'fee_payer_mismatch' },
    });
    stage = await shop.open();
  });

  test('again for one that has expired meanwhile', async () => {
    let sent = 0;
    let looked = 0;
    const lost = await shop.open({
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
    stage = await shop.open();
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

test('a process says for which modes it pays fees, and what to set where it does not', async () => {
  const said: unknown[] = [];
  const log = {
    info: ({ mode, sponsor }: Record<string, unknown>) => void said.push(['paid by', mode, sponsor]),
    warn: ({ mode, setting }: Record<string, unknown>) => void said.push(['set', mode, setting]),
    error: () => undefined,
  };
  await shop.open({ ports: { chains: shop.chains(), log } });
  expect(said).toEqual([
    ['paid by', 'test', shop.sponsor.address],
    ['set', 'test', 'PAYOUT_FEE_KEY_FILE_TEST'],
    ['set', 'live', 'SPONSOR_KEY_FILE_LIVE'],
    ['set', 'live', 'PAYOUT_FEE_KEY_FILE_LIVE'],
  ]);
  stage = await shop.open();
});

test('85: neither the key nor a whole transaction is in the log lines or in errors', async () => {
  const lines: unknown[] = [];
  const write = (fields: object, text: string): void => void lines.push({ ...fields, text });
  const told = await shop.open({
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
  stage = await shop.open();
  expect(lines.length).toBeGreaterThan(0);
  const text = JSON.stringify(lines);
  expect(text).not.toContain(Buffer.from(signed).toString('base64').slice(100, 140));
  expect(text).not.toContain('secret');
  expect(JSON.stringify(shop.sponsor)).toBe(JSON.stringify({ address: shop.sponsor.address }));
});
