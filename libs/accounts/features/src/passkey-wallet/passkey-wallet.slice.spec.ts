import { describeMerchant } from '@tender/contracts';
import { custodyModelOf, rosterFault, type SignedRoster } from '@tender/threshold';
import { publishAccounts } from '../publish-accounts';
import { PasskeyWallets } from '../testing/passkey-wallets';

const on = new PasskeyWallets();
beforeAll(() => on.start());
beforeEach(() => on.reset());
afterAll(() => on.close());

const asking = { mode: 'test', correlation_id: 'of this spec' } as const;
const walletOf = async (merchant_id: string) => {
  const { stage } = on.shops;
  await stage.settle();
  return (await stage.send('GET', '/api/v1/merchants/me/wallet', stage.caller({ merchant_id }))).json;
};

test('a wallet is made of which the merchant holds two shares, and all see it at once', async () => {
  const merchant = await on.newMerchant();
  const { id, passkey_id } = merchant;
  expect((await on.shops.holderOf(merchant.key))?.wallet).toBeNull();
  const browser = on.browser(merchant);
  await browser.agree();
  // Signer A has kept its share, and there is no wallet: the merchant has not said that it has its own.
  expect([await on.addressOf(id), (await walletOf(id)).wallet_address]).toEqual([null, null]);

  const { status, json } = await browser.confirm(passkey_id);
  expect([status, json]).toEqual([201, { wallet_address: browser.result.roster.wallet }]);
  expect(on.signer.shares.has(json.wallet_address)).toBe(true);
  expect((await on.shops.holderOf(merchant.key))?.wallet).toBe(json.wallet_address);
  const { calls } = on.shops.stage.runtime;
  expect(await calls.ask(describeMerchant, { merchant_id: id }, asking)).toMatchObject({
    wallet: json.wallet_address,
  });
  const shown = await walletOf(id);
  expect(shown).toMatchObject({
    ...{ wallet_address: json.wallet_address, wallet_type: 'mpc_passkey', has_mpc_wallet: true },
    ...{ custody_model: 'self', operating_wallet_address: null, roster: null },
  });
  expect(rosterFault(shown.wallet_roster)).toBeNull();
  expect(custodyModelOf((shown.wallet_roster as SignedRoster).roster)).toBe('self');
});

test('other contexts hear of the wallet, and of nothing else of its ceremony', async () => {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  await browser.agree();
  await browser.confirm(merchant.passkey_id);
  const events = await on.events(merchant.id);
  const types = events.map(({ type }) => type).filter((type) => /Wallet|Used/.test(type));
  expect(types).toEqual([
    ...['PasskeyWalletBegun', 'PasskeyWalletJoined', 'PasskeyWalletAgreed'],
    ...['WalletCreated', 'PasskeySetupUsed'],
  ]);
  const told = events.flatMap((event) => publishAccounts(event) ?? []);
  const about = told.filter(({ type }) => type !== 'accounts.merchant-registered.v1');
  expect(about.map(({ type }) => type).filter((type) => type.includes('wallet'))).toEqual([
    'accounts.wallet-created.v1',
  ]);
  expect(told).toContainEqual({
    ...{ type: 'accounts.wallet-created.v1', merchant_id: merchant.id },
    data: {
      ...{ merchant_id: merchant.id, wallet_address: browser.result.roster.wallet },
      ...{ webhook_url: null, created_at: expect.any(String) as string },
    },
  });
});

test('the answer of a confirmation that was lost is given again, and the link is used up', async () => {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  await browser.agree();
  const { json } = await browser.confirm(merchant.passkey_id);
  expect(await browser.confirm(merchant.passkey_id)).toMatchObject({ status: 201, json });
  const again = await on.browser(merchant).begin();
  expect([again.status, again.json.code]).toEqual([410, 'passkey_setup_used']);
  const newer = { ...merchant, link: await on.newLink(merchant.id) };
  const by_new_link = await on.browser(newer).begin();
  expect([by_new_link.status, by_new_link.json.code]).toEqual([409, 'wallet_exists']);
});

test('the answer of the end that was lost is given again: signer A is not asked twice', async () => {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  const { json } = await browser.agree();
  on.signer.is_silent = true;
  expect(await browser.finish()).toMatchObject({ status: 200, json });
});

test('a ceremony that ends at any step leaves no address, and a new one may begin', async () => {
  const merchant = await on.newMerchant();
  const steps = ['begin', 'round2', 'round3', 'finish'] as const;
  for (let done = 1; done <= steps.length; done += 1) {
    const browser = on.browser(merchant);
    for (const step of steps.slice(0, done)) expect((await browser[step]()).status).toBe(200);
    // Signer A is started anew, and the browser was closed.
    on.signer.forget();
    expect(await on.addressOf(merchant.id)).toBeNull();
    const next = steps[done];
    if (next === undefined) continue;
    const { status, json } = await browser[next]();
    expect([next, status, json.code]).toEqual([next, 409, 'ceremony_unknown']);
  }
  const last = on.browser(merchant);
  await last.agree();
  expect((await last.confirm(merchant.passkey_id)).status).toBe(201);
});

test('the newest ceremony counts: one that a newer one has replaced makes no wallet', async () => {
  const merchant = await on.newMerchant();
  const [first, second] = [on.browser(merchant), on.browser(merchant)];
  await first.agree();
  await second.begin();
  const { status, json } = await first.confirm(merchant.passkey_id);
  expect([status, json.code, await on.addressOf(merchant.id)]).toEqual([409, 'ceremony_unknown', null]);
});

test('ten ceremonies an hour, and none is used up while signer A is silent', async () => {
  const merchant = await on.newMerchant();
  on.signer.is_silent = true;
  for (let at = 0; at < 12; at += 1) expect((await on.browser(merchant).begin()).status).toBe(503);
  on.signer.is_silent = false;
  for (let at = 0; at < 10; at += 1) expect((await on.browser(merchant).begin()).status).toBe(200);
  const { status, json, headers } = await on.browser(merchant).begin();
  expect([status, json.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(3_500);
});

test('an external merchant keeps the wallet that it has brought', async () => {
  const { id } = await on.shops.newShop();
  const { status, json } = await on.browser({ id, link: await on.newLink(id) }).begin();
  expect([status, json.code]).toEqual([409, 'wallet_exists']);
});

test('a link that has expired, and one that a newer one has replaced', async () => {
  const merchant = await on.newMerchant();
  const newer = await on.newLink(merchant.id);
  const replaced = await on.browser(merchant).begin();
  expect([replaced.status, replaced.json.code]).toEqual([401, 'authentication_failed']);
  const browser = on.browser({ ...merchant, link: newer });
  await browser.agree();
  on.shops.stage.advance(1_800_000);
  const { status, json } = await browser.confirm(merchant.passkey_id);
  expect([status, json.code, await on.addressOf(merchant.id)]).toEqual([410, 'passkey_setup_expired', null]);
});
