import { randomBytes } from 'node:crypto';
import { sponsorPays, type SponsoredTransfer } from '@tender/contracts';
import { AUDIT_STREAM, type AuditEntry } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { readTransaction, type Transaction } from '@tender/transactions';
import { freshTestWallet, signedBy } from '@tender/transactions/testing';
import type { Quotas } from '@tender/treasury-domain';
import { askOffer, GaslessShop, offered, signatureOf, submit } from '../testing/gasless-shop';
import { keyInMemory } from '../fee-key';
import { sponsorNow } from '../sponsor/sponsor.aggregate';

const shop = new GaslessShop();
let merchant: string;

beforeAll(async () => {
  await shop.start();
  merchant = await shop.merchant();
});
afterAll(() => shop.close());

const opened = (quotas: Partial<Quotas> = {}) => shop.open({ quotas });

const gasless = (reason: string) => ({
  ok: false,
  refusal: 'gasless_unavailable',
  details: { reason },
});

const paysIn = async ({ runtime }: ContextStage, mode: Mode): Promise<boolean> => {
  const asking = { mode, correlation_id: runtime.random.uuid() };
  return (await runtime.calls.ask(sponsorPays, {}, asking)).pays;
};

describe('80: a quota that is spent', () => {
  test.each<[string, Partial<Quotas>, Partial<SponsoredTransfer>]>([
    ['wallet_quota', { per_wallet_day: 1 }, { merchant_id: 'w', client_address: '192.0.2.20' }],
    ['address_quota', { per_address_hour: 1 }, { merchant_id: 'a', client_address: '192.0.2.21' }],
    ['merchant_quota', { per_merchant_day: 1 }, { merchant_id: 'm', client_address: '192.0.2.22' }],
  ])('%s', async (reason, quotas, changes) => {
    const stage = await opened(quotas);
    const [one, other] = [await shop.customer(), await shop.customer()];
    const next = reason === 'wallet_quota' ? one : other;
    const [first, second] = [
      shop.payment(one, merchant, changes),
      shop.payment(next, merchant, changes),
    ];
    const later = await offered(stage, second);
    const { bytes } = await offered(stage, first);
    signatureOf(await submit(stage, first, signedBy(bytes, one)));
    // The offer was made before the quota was spent: it is not signed.
    const before = await shop.lamports();
    for (;;) {
      const outcome = await submit(stage, second, signedBy(later.bytes, next));
      if (!outcome.ok && outcome.refusal === 'submission_in_flight') continue;
      expect(outcome).toEqual(gasless(reason));
      break;
    }
    expect(before - (await shop.lamports())).toBeLessThanOrEqual(10_300n);
    expect(await askOffer(stage, shop.payment(next, merchant, changes))).toEqual(gasless(reason));
  });

  test('merchant_accounts: of a merchant who names new wallets again and again', async () => {
    const stage = await opened();
    const tries = [];
    for (let wallet = 0; wallet < 5; wallet += 1) {
      const customer = await shop.customer();
      const changes = { merchant_id: 'many-accounts', client_address: `198.51.100.${wallet}` };
      const payment = shop.payment(customer, freshTestWallet().address, changes);
      const { bytes } = await offered(stage, payment);
      tries.push({ payment, signed: signedBy(bytes, customer) });
    }
    const outcomes = await Promise.all(
      tries.map(({ payment, signed }) => submit(stage, payment, signed)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(4);
    expect(outcomes.filter(({ ok }) => !ok)).toEqual([gasless('merchant_accounts')]);
    const next = shop.payment(await shop.customer(), freshTestWallet().address, { merchant_id: 'another' });
    const same = { ...next, merchant_id: 'many-accounts' };
    expect(await askOffer(stage, same)).toEqual(gasless('merchant_accounts'));
    expect((await askOffer(stage, next)).ok).toBe(true);
  });

  test('account_budget: new accounts leave half of the day to fees', async () => {
    const [row] = await (await opened()).runtime.readModels.query<{ lamports: string }>(
      `select coalesce(sum(lamports) filter (where made_account is not null), 0)::text as lamports
         from treasury.spending`,
    );
    // One more account would be within, and its fee is too much.
    const lamports_day = 2n * (BigInt((row as { lamports: string }).lamports) + 2_039_280n);
    const stage = await opened({ lamports_day });
    const asked = async (recipient: string) =>
      askOffer(stage, shop.payment(await shop.customer(), recipient, { merchant_id: 'new' }));
    expect(await asked(freshTestWallet().address)).toEqual(gasless('account_budget'));
    expect((await asked(merchant)).ok).toBe(true);
  });

  test('lamport_budget, under any number at once', async () => {
    const fee = 10_300n;
    const spent = await opened();
    const [row] = await spent.runtime.readModels.query<{ lamports: string }>(
      `select coalesce(sum(lamports), 0)::text as lamports from treasury.spending`,
    );
    const stage = await opened({
      lamports_day: BigInt((row as { lamports: string }).lamports) + 2n * fee,
    });
    const tries = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const customer = await shop.customer();
        const payment = shop.payment(customer, merchant);
        const { bytes } = await offered(stage, payment);
        return { payment, signed: signedBy(bytes, customer) };
      }),
    );
    const outcomes = await Promise.all(
      tries.map(({ payment, signed }) => submit(stage, payment, signed)),
    );
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(2);
    for (const outcome of outcomes)
      if (!outcome.ok) expect(outcome).toEqual(gasless('lamport_budget'));
  });
});

describe('the switch', () => {
  const flip = (stage: ContextStage, enabled: boolean, reason = 'drain') =>
    stage.send('POST', '/admin/sponsor', stage.caller({ actor: 'admin' }), { enabled, reason });

  test('stops offers and signatures in both modes, and starts them again', async () => {
    const stage = await opened();
    const customer = await shop.customer();
    const payment = shop.payment(customer, merchant);
    const { bytes } = await offered(stage, payment);
    const signed = signedBy(bytes, customer);
    // In live there is no key.
    expect([await paysIn(stage, 'test'), await paysIn(stage, 'live')]).toEqual([true, false]);
    expect(await flip(stage, false)).toMatchObject({
      status: 200,
      json: { enabled: false, reason: 'drain' },
    });
    expect(await askOffer(stage, payment)).toEqual(gasless('sponsor_paused'));
    expect(await submit(stage, payment, signed)).toEqual(gasless('sponsor_paused'));
    expect(await paysIn(stage, 'test')).toBe(false);
    for (const mode of ['test', 'live'] as const) {
      expect((await sponsorNow(stage.runtime, mode)).paused).toMatchObject({
        by: 'admin',
        reason: 'drain',
      });
    }
    await flip(stage, true, 'fixed');
    expect(await paysIn(stage, 'test')).toBe(true);
    signatureOf(await submit(stage, payment, signed));
  });

  test('is written down in the audit log', async () => {
    const stage = await opened();
    const { eventStore } = stage.runtime;
    const before = (await eventStore.load(AUDIT_STREAM)).length;
    await flip(stage, false, 'a drain');
    await flip(stage, true, 'mended');
    const entries = await eventStore.load(AUDIT_STREAM);
    expect(entries.slice(before).map(({ data }) => data)).toMatchObject([
      { actor: 'admin', route: 'POST /admin/sponsor', what: { enabled: false }, reason: 'a drain' },
      { actor: 'admin', route: 'POST /admin/sponsor', what: { enabled: true }, reason: 'mended' },
    ]);
  });

  test('is thrown however many admins change things at once, and each change is written down', async () => {
    const stage = await opened();
    const { eventStore } = stage.runtime;
    const before = (await eventStore.load(AUDIT_STREAM)).length;
    const flips = Array.from({ length: 60 }, (_, index) => flip(stage, index % 2 === 0));
    expect((await Promise.all(flips)).map(({ status }) => status)).toEqual(Array(60).fill(200));
    const entries = (await eventStore.load(AUDIT_STREAM)).slice(before);
    const numbers = entries.map(({ data }) => (data as AuditEntry).number);
    expect(numbers).toEqual(entries.map((_, index) => before + index + 1));
    expect(entries).toHaveLength(60);
    await flip(stage, true);
  });

  /** Five customers empty their wallets after the simulation; each comes from the address of that number. */
  async function withFailuresFrom(addressOf: (index: number) => string): Promise<ContextStage> {
    // Each at its own transaction alone: the sponsor sends those of before again, while the next is simulated.
    const send = async (bytes: Uint8Array): Promise<void> => {
      const [, address] = (readTransaction(bytes) as Transaction).message.signers;
      await shop.local.control('localnet_setTokenBalance', { address, token: 'USDC', amount: '0' });
      await shop.chain.send(bytes);
    };
    const stage = await shop.open({ ports: { chains: shop.chains({ send }) } });
    const { readModels } = stage.runtime;
    await readModels.query('delete from treasury.spending');
    const tries = [];
    for (let index = 0; index < 5; index += 1) {
      const customer = await shop.customer();
      const payment = shop.payment(customer, merchant, { client_address: addressOf(index) });
      const { bytes } = await offered(stage, payment);
      tries.push({ payment, signed: signedBy(bytes, customer) });
    }
    for (const { payment, signed } of tries) signatureOf(await submit(stage, payment, signed));
    const failed = 'select 1 from treasury.spending where failed';
    while ((await readModels.query(failed)).length < 5) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return stage;
  }

  test('is thrown by the sponsor itself when half of its transactions fail', async () => {
    const stage = await withFailuresFrom((index) => `192.0.2.${index + 40}`);
    while ((await sponsorNow(stage.runtime, 'test')).paused === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect((await sponsorNow(stage.runtime, 'test')).paused).toMatchObject({ by: 'failures' });
    const customer = await shop.customer();
    expect(await askOffer(stage, shop.payment(customer, merchant))).toEqual(
      gasless('sponsor_paused'),
    );
    await flip(stage, true, 'looked at it');
    await offered(stage, shop.payment(customer, merchant));
  });

  test('is not thrown by one who lets transactions fail: nothing more is paid for that one', async () => {
    // A customer with an IPv6 address has the whole /64 to send from.
    const stage = await withFailuresFrom((index) => `2001:db8::${index + 1}`);
    const customer = await shop.customer();
    const from = (client_address: string) =>
      askOffer(stage, shop.payment(customer, merchant, { client_address }));
    expect(await from('2001:db8::9')).toEqual(gasless('too_many_failures'));
    expect(await from('2001:db8:0:1::9')).toMatchObject({ ok: true });
    // Whatever the follower of the last failure was about to do is done once its process has ended.
    const next = await opened();
    expect((await sponsorNow(next.runtime, 'test')).paused).toBeNull();
  });
});

test('a wallet whose key file changed is another sponsor: what it has not offered it does not sign', async () => {
  const stage = await shop.open({ sponsor: keyInMemory(randomBytes(32)) });
  const customer = await shop.customer();
  expect(await askOffer(stage, shop.payment(customer, merchant))).toEqual(
    gasless('sponsor_balance_low'),
  );
  expect(await paysIn(stage, 'test')).toBe(false);
});
