import { PasskeyWallets } from '../testing/passkey-wallets';

const on = new PasskeyWallets();
beforeAll(() => on.start());
afterAll(() => on.close());

const SHARES = '/api/v1/passkey-wallet/shares';

async function withWallet() {
  const merchant = await on.newMerchant();
  const browser = on.browser(merchant);
  await browser.agree();
  await browser.confirm(merchant.passkey_id, { sealed_share_c: 'c2VhbGVkIDE' });
  const link = await on.newLink(merchant.id);
  const { stage } = on.shops;
  const read = (passkey_id: string, by = link) =>
    stage.send('GET', `${SHARES}/${passkey_id}`, on.caller(merchant.id, by));
  const add = (passkey_id: string, sealed_share_c: string, by = link) =>
    stage.send('POST', SHARES, on.caller(merchant.id, by), { passkey_id, sealed_share_c });
  return { merchant, browser, link, read, add };
}

test('a passkey gets what it has sealed, with the roster that it belongs to', async () => {
  const { merchant, browser, read } = await withWallet();
  expect((await read(merchant.passkey_id)).json).toMatchObject({
    ...{ passkey_id: merchant.passkey_id, sealed_share_c: 'c2VhbGVkIDE' },
    wallet_roster: { roster: { wallet: browser.result.roster.wallet } },
  });
});

test('a second passkey gets a share of its own, once, and the link is used up', async () => {
  const { merchant, read, add } = await withWallet();
  const second = await on.registerPasskey(merchant.id);
  expect((await add(second, 'c2VhbGVkIDI')).status).toBe(201);
  // The answer was lost.
  expect((await add(second, 'c2VhbGVkIDI')).status).toBe(201);
  expect([(await read(second)).json.code, (await add(second, 'YW5vdGhlcg')).json.code]).toEqual([
    ...['passkey_setup_used', 'passkey_setup_used'],
  ]);
  const link = await on.newLink(merchant.id);
  expect((await read(second, link)).json.sealed_share_c).toBe('c2VhbGVkIDI');
  // What a passkey has is not taken from it.
  const { status, json } = await add(merchant.passkey_id, 'YW5vdGhlcg', link);
  expect([status, json.code]).toEqual([409, 'share_exists']);
  expect((await read(merchant.passkey_id, link)).json.sealed_share_c).toBe('c2VhbGVkIDE');
});

test('strangers: another merchant’s share is not there, nor one of a passkey that was not registered', async () => {
  const [one, other] = [await withWallet(), await withWallet()];
  for (const passkey_id of [other.merchant.passkey_id, 'nobody', 'constructor']) {
    expect((await one.read(passkey_id)).status).toBe(404);
    const added = await one.add(passkey_id, 'YW5vdGhlcg');
    expect([added.status, added.json.code]).toEqual([403, 'passkey_unknown_credential']);
  }
});

test('a merchant without a passkey wallet has no share to keep', async () => {
  const merchant = await on.newMerchant();
  const { stage } = on.shops;
  const caller = on.caller(merchant.id, merchant.link);
  const body = { passkey_id: merchant.passkey_id, sealed_share_c: 'c2VhbGVk' };
  const { status, json } = await stage.send('POST', SHARES, caller, body);
  expect([status, json.code]).toEqual([409, 'wallet_not_ready']);
});
