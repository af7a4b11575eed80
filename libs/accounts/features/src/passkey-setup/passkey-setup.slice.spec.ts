import { PasskeyShop, PLACE, tokenIn } from '../testing/passkey-shop';
import { Shops } from '../testing/shops';
import { SoftwareAuthenticator } from '../testing/software-authenticator';
import { SETUP_MS } from './setup-token';
import { openSetups, type Setups } from './setups';

const shops = new Shops();
let setups: Setups;
beforeAll(async () => {
  await shops.start();
  setups = openSetups(shops.stage.runtime, shops.stage.directory);
});
afterAll(shops.close);

const ISSUE = '/api/v1/merchants/me/passkey-setup';
const read = (shop: PasskeyShop, token: string) =>
  shops.stage.send('GET', '/api/v1/passkey-setup', shop.as(shop.opened(token)));

const ofOwner = (token: string, owner: string): string =>
  token.replace(/_.{22}(.{43})$/, `_${owner}$1`);

test('a merchant that comes without a wallet comes with a link, which its token opens', async () => {
  const shop = await PasskeyShop.open(shops, {});
  const url = shop.sign_up.passkey_setup_url ?? '';
  expect(url).toMatch(/^https:\/\/approve\.tender\.test\/passkey-setup#svc_setup_[0-9A-Za-z]{65}$/);
  const token = tokenIn(url);
  expect(await setups.authenticate(token)).toMatchObject({ merchant_id: shop.id, mode: 'test', wallet: null });
  const { status, json } = await read(shop, token);
  expect([status, json]).toEqual([
    200,
    {
      merchant_id: shop.id,
      merchant_name: 'Corner Shop',
      email: shop.email,
      wallet_type: 'mpc_passkey',
      wallet_address: null,
      expires_at: expect.any(String) as string,
      passkeys: [],
    },
  ]);
});

test('a repeat of the sign-up shows the same link', async () => {
  const repeat = { command_id: 'sign-up-with-link', id_seed: 'cd'.repeat(16) };
  const body = shops.signUpBody();
  const first = await shops.post('/api/v1/merchants', body, repeat);
  const again = await shops.post('/api/v1/merchants', body, repeat);
  expect(again.text).toBe(first.text);
  expect(first.json.passkey_setup_url).toContain('#svc_setup_');
});

test('the newest link alone works, and lists the passkeys that sign', async () => {
  const shop = await PasskeyShop.open(shops, {});
  const first = tokenIn(shop.sign_up.passkey_setup_url ?? '');
  const { device } = await shop.register({ token: first });
  await shop.register();
  const second = await shop.link();
  expect(await setups.authenticate(first)).toBeNull();
  const { json } = await read(shop, second);
  expect(json.passkeys).toEqual([{ id: device.id, name: expect.stringMatching(/^Passkey of /) as string }]);
});

test('a repeat of the request for a link answers with the same one', async () => {
  const shop = await PasskeyShop.open(shops);
  const repeat = { ...shop.session, command_id: 'link-1', id_seed: 'ef'.repeat(16) };
  const first = await shops.post(ISSUE, undefined, repeat);
  const again = await shops.post(ISSUE, undefined, repeat);
  expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
});

test.each([
  ['that was never made', (token: string) => `${token.slice(0, -4)}AAAA`],
  ['of a merchant that there is not', (token: string) => ofOwner(token, '0'.repeat(22))],
  ['that has not the form of one', (token: string) => `${token}1`],
  ['that names no bytes', (token: string) => ofOwner(token, 'z'.repeat(22))],
])('a token %s opens nothing', async (_, change) => {
  const shop = await PasskeyShop.open(shops, {});
  const token = tokenIn(shop.sign_up.passkey_setup_url ?? '');
  expect(await setups.authenticate(change(token))).toBeNull();
});

test('another merchant’s token opens that merchant, whatever the request says', async () => {
  const [shop, other] = [await PasskeyShop.open(shops, {}), await PasskeyShop.open(shops, {})];
  const token = tokenIn(other.sign_up.passkey_setup_url ?? '');
  expect(await setups.authenticate(token)).toMatchObject({ merchant_id: other.id });
  expect((await other.start(other.opened(token), { merchant_id: shop.id })).status).toBe(404);
});

test('a link that has expired is 410 wherever it is sent', async () => {
  const shop = await PasskeyShop.open(shops, {});
  const token = await shop.link();
  const { json } = await shop.start(shop.opened(token));
  shops.stage.advance(SETUP_MS);
  expect(await setups.authenticate(token)).toMatchObject({ merchant_id: shop.id });
  const answers = [await read(shop, token), await shop.start(shop.opened(token))];
  expect(answers.map((answer) => [answer.status, answer.json.code])).toEqual([
    [410, 'passkey_setup_expired'],
    [410, 'passkey_setup_expired'],
  ]);
  expect((await shop.finish(json.challenge_id, {}, shop.opened(token))).status).toBe(401);
});

test('of a merchant with a wallet of its own, a link registers one passkey; then it is 410', async () => {
  const shop = await PasskeyShop.open(shops);
  const token = await shop.link();
  const second = (await shop.start(shop.opened(token))).json;
  const { device, answer } = await shop.register({ token });
  expect(answer.status).toBe(201);
  const credential = device.create(second.options);
  const late = await shop.finish(second.challenge_id, credential, shop.opened(token));
  const answers = [late, await read(shop, token), await shop.start(shop.opened(token))];
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
    answers.map(() => [410, 'passkey_setup_used']),
  );
});

test('where the wallet is still to be made, the link lasts until it is', async () => {
  const shop = await PasskeyShop.open(shops, {});
  const token = await shop.link();
  await shop.register({ token });
  expect((await read(shop, token)).json.passkeys).toHaveLength(1);
});

test('a session reads what there is to set up, without a link', async () => {
  const shop = await PasskeyShop.open(shops);
  const { json } = await shops.stage.send('GET', '/api/v1/passkey-setup', shop.as(shop.session));
  expect(json).toMatchObject({ merchant_id: shop.id, wallet_type: 'external', expires_at: null });
});

test('S5: a test key makes links until the merchant has a live key', async () => {
  const shop = await PasskeyShop.open(shops);
  const as_key = { merchant_id: shop.id, asker: { kind: 'key', key_id: 'key_1' } };
  expect((await shops.post(ISSUE, undefined, as_key)).status).toBe(201);
  await shops.post('/api/v1/keys', { mode: 'live' }, shop.session);
  const refused = await shops.post(ISSUE, undefined, as_key);
  expect([refused.status, refused.json.code]).toEqual([403, 'forbidden']);
  expect((await shops.post(ISSUE, undefined, { ...as_key, mode: 'live' })).status).toBe(201);
});

describe('S5: a link that an API key has asked for', () => {
  const asKey = ({ id }: PasskeyShop) =>
    ({ merchant_id: id, asker: { kind: 'key', key_id: 'key_1' } }) as const;
  const linkOfKey = async (shop: PasskeyShop): Promise<string> =>
    tokenIn((await shops.post(ISSUE, undefined, asKey(shop))).json.passkey_setup_url as string);

  test.each([
    ['a wallet of its own', undefined],
    ['none yet', {}],
  ])('registers no first signing passkey of a merchant with %s', async (_, changes) => {
    const shop = await PasskeyShop.open(shops, changes);
    // Of another kind.
    await shop.register();
    const token = await linkOfKey(shop);
    const answers = [await read(shop, token), await shop.start(shop.opened(token))];
    expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
      answers.map(() => [403, 'passkey_setup_by_key']),
    );
    // The way out.
    const { answer } = await shop.register({ token: await shop.link() });
    expect(answer.status).toBe(201);
  });

  test('does not finish what the merchant’s own link has begun', async () => {
    const shop = await PasskeyShop.open(shops);
    const begun = (await shop.start(shop.opened(await shop.link()))).json;
    const token = await linkOfKey(shop);
    const credential = new SoftwareAuthenticator(PLACE.approval_url).create(begun.options);
    const { challenge_id } = begun as { readonly challenge_id: string };
    const { status, json } = await shop.finish(challenge_id, credential, shop.opened(token));
    expect([status, json.code]).toEqual([403, 'passkey_setup_by_key']);
  });

  test('adds one to the passkeys of a merchant with a wallet of its own', async () => {
    const shop = await PasskeyShop.open(shops);
    await shop.register({ token: await shop.link() });
    const { answer } = await shop.register({ token: await linkOfKey(shop) });
    expect(answer.status).toBe(201);
  });
});

test('E11: the name that a person gives a passkey is sealed in the log and the tables', async () => {
  const shop = await PasskeyShop.open(shops);
  const { challenge_id, options } = (await shop.start()).json;
  const credential = new SoftwareAuthenticator(PLACE.url).create(options);
  const name = 'Phone of Ada Lovelace';
  const made = await shop.finish(challenge_id as string, credential, shop.session, name);
  expect(made.json.name).toBe(name);
  const events = await shops.stage.runtime.eventStore.load(`merchant.all-${shop.id}`);
  const rows = await shops.stage.runtime.readModels.query('select row_to_json(m) from accounts.merchants m');
  expect(JSON.stringify([events, rows])).not.toContain('Lovelace');
  expect(events.at(-1)?.metadata.subject_ids).toEqual([shop.id]);
  const listed = () => shops.stage.send('GET', '/api/v1/merchants/me/passkeys', shop.as(shop.session));
  expect((await listed()).json).toMatchObject([{ name }]);
});

test('no token is in the log or the tables', async () => {
  const shop = await PasskeyShop.open(shops, {});
  const tokens = [tokenIn(shop.sign_up.passkey_setup_url ?? ''), await shop.link()];
  const events = await shops.stage.runtime.eventStore.load(`merchant.all-${shop.id}`);
  const rows = await shops.stage.runtime.readModels.query('select row_to_json(m) from accounts.merchants m');
  const stored = JSON.stringify([events, rows]);
  expect(stored).toContain('PasskeySetupIssued');
  for (const token of tokens) expect(stored).not.toContain(token.slice(-43));
});
