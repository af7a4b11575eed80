import { readMessage } from '@tender/transactions';
import {
  attacksOn,
  changedMessage,
  freshTestWallet,
  signedBy,
  someAddress,
  type Attack,
} from '@tender/transactions/testing';
import type { SponsoredTransfer } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { GaslessShop, offered, submit } from '../testing/gasless-shop';

const shop = new GaslessShop();
const attacker = freshTestWallet();
let stage: ContextStage;
let customer: Awaited<ReturnType<GaslessShop['customer']>>;
const payments = {} as Record<Attack['of'], SponsoredTransfer>;
const messages = {} as Record<Attack['of'], Uint8Array>;

beforeAll(async () => {
  await shop.start();
  stage = await shop.open();
  customer = await shop.customer();
  await shop.give(customer.address, 'SOL', 100_000_000n);
  await shop.give(shop.sponsor.address, 'USDC', 5n);
  const merchant = await shop.merchant();
  payments.token = shop.payment(customer, merchant);
  payments['new account'] = shop.payment(customer, freshTestWallet().address);
  payments.sol = shop.payment(customer, merchant, { token: 'SOL', token_mint: null });
  for (const kind of ['token', 'new account', 'sol'] as const) {
    messages[kind] = (await offered(stage, payments[kind])).bytes;
  }
});
afterAll(() => shop.close());

const names = { sponsor: 's', customer: 'c', attacker: 'a', mint: 'm' };
const accounts = { customers_account: 'ca', sponsors_account: 'sa', attackers_account: 'aa' };
const titles = attacksOn(
  Object.fromEntries(
    Object.keys({ ...names, ...accounts }).map((name, at) => [name, someAddress(at + 30)]),
  ) as never,
).map(({ reason, name }, index) => [reason, name, index] as const);

/** The same attack with the parties that there are. */
function attackAt(index: number): Attack {
  const { chain } = shop;
  const of = (wallet: string): string => chain.tokenAccount(wallet, 'USDC');
  return attacksOn({
    sponsor: shop.sponsor.address,
    customer: customer.address,
    attacker: attacker.address,
    mint: shop.local.network.mints.USDC,
    customers_account: of(customer.address),
    sponsors_account: of(shop.sponsor.address),
    attackers_account: of(attacker.address),
  })[index] as Attack;
}

async function refusedAtNoCost(of: Attack['of'], signed: Uint8Array | string, reason: string) {
  const before = await shop.lamports();
  const tokens = await shop.tokens(shop.sponsor.address);
  const outcome = await submit(stage, payments[of], signed);
  expect(outcome).toMatchObject({ ok: false, refusal: 'invalid_transaction', details: { reason } });
  expect(await shop.lamports()).toBe(before);
  expect(await shop.tokens(shop.sponsor.address)).toBe(tokens);
}

describe('55–73: what would cost the sponsor more than a fee', () => {
  test.each(titles)('%s: %s', async (_, __, index) => {
    const { of, changes, reason } = attackAt(index);
    await refusedAtNoCost(
      of,
      signedBy(changedMessage(messages[of], changes), customer, attacker),
      reason,
    );
  });

  test('lookup_tables_not_allowed', async () => {
    const table = Buffer.from(someAddress(60)).subarray(0, 32);
    const tables = Buffer.concat([Buffer.of(1), table, Buffer.of(1, 0, 0)]);
    const message = Buffer.concat([Buffer.of(0x80), messages.token, tables]);
    expect(readMessage(message).lookup_tables).toHaveLength(1);
    await refusedAtNoCost('token', signedBy(message, customer), 'lookup_tables_not_allowed');
  });

  test('bad_customer_signature', async () => {
    for (const signed of [
      signedBy(messages.token),
      signedBy(messages.token, shop.sponsors_signer),
    ]) {
      await refusedAtNoCost('token', signed, 'bad_customer_signature');
    }
    const forged = signedBy(messages.token, customer);
    forged[70] = (forged[70] as number) ^ 1;
    await refusedAtNoCost('token', forged, 'bad_customer_signature');
  });

  test('unexpected_cost: a node whose simulation says that the sponsor pays more', async () => {
    const chains = shop.chains({
      simulate: async () => ({ error: null, compute_units: 1, lamports: [-1_000_000n, 0n] }),
    });
    const payment = shop.payment(customer, payments.token.recipient);
    const lied = await shop.open({ ports: { chains } });
    const { bytes } = await offered(lied, payment);
    const before = await shop.lamports();
    expect(await submit(lied, payment, signedBy(bytes, customer))).toMatchObject({
      refusal: 'invalid_transaction',
      details: { reason: 'unexpected_cost' },
    });
    expect(await shop.lamports()).toBe(before);
    stage = await shop.open();
  });
});

test('77: what is no transaction', async () => {
  const texts = ['', 'zzzz', '%%%', 'A'.repeat(1_000_000), Buffer.alloc(1_232).toString('base64')];
  for (const text of texts) await refusedAtNoCost('token', text, 'malformed_transaction');
});

test('what was never offered', async () => {
  const payment = shop.payment(customer, payments.token.recipient);
  const signed = signedBy(messages.token, customer);
  expect(await submit(stage, payment, signed)).toMatchObject({
    refusal: 'invalid_transaction',
    details: { reason: 'not_offered' },
  });
});

test('a customer without the money costs nothing', async () => {
  const poor = freshTestWallet();
  await shop.give(poor.address, 'USDC', 9_999_999n);
  const payment = shop.payment(poor, payments.token.recipient);
  const { bytes } = await offered(stage, payment);
  const before = await shop.lamports();
  expect(await submit(stage, payment, signedBy(bytes, poor))).toMatchObject({
    refusal: 'invalid_transaction',
    details: { reason: 'simulation_failed' },
  });
  expect(await shop.lamports()).toBe(before);
});
