import { PASSKEYS_MAX } from '@tender/accounts-domain';
import { PasskeyShop, PLACE } from '../testing/passkey-shop';
import { Shops } from '../testing/shops';
import { SoftwareAuthenticator, type Lies } from '../testing/software-authenticator';
import { ALGORITHMS } from '@tender/threshold/testing';
import { CHALLENGE_MS } from './challenge.record';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(shops.close);

const LIST = '/api/v1/merchants/me/passkeys';
const listOf = async (shop: PasskeyShop) =>
  (await shops.stage.send('GET', LIST, shop.as(shop.session))).json;

test('a session registers a passkey to sign in with, which verifies the person', async () => {
  const shop = await PasskeyShop.open(shops);
  const { status, json } = await shop.start();
  expect(status).toBe(200);
  expect(json.options).toMatchObject({
    rp: { id: 'tender.test', name: 'Tender' },
    user: { name: shop.email, displayName: 'Corner Shop' },
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ alg, type: 'public-key' })),
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials: [],
  });
  expect(json.options.extensions).not.toHaveProperty('prf');
  const device = new SoftwareAuthenticator(PLACE.url);
  const made = await shop.finish(json.challenge_id, device.create(json.options), shop.session, ' Till 2 ');
  expect([made.status, made.json]).toEqual([
    201,
    { id: device.id, kind: 'login', name: 'Till 2', created_at: expect.any(String) as string },
  ]);
  expect(await listOf(shop)).toEqual([{ ...made.json, last_used_at: null }]);
});

test.each(ALGORITHMS)('a passkey that signs by %s is registered', async (algorithm) => {
  const shop = await PasskeyShop.open(shops);
  const { answer } = await shop.register({ algorithm });
  expect(answer.status).toBe(201);
});

test('a set-up link registers a signing passkey, for the approval page, with PRF', async () => {
  const shop = await PasskeyShop.open(shops, {});
  const token = await shop.link();
  await shop.register();
  const { json } = await shop.start(shop.opened(token));
  expect(json.options).toMatchObject({
    rp: { id: 'approve.tender.test' },
    extensions: { prf: {} },
    excludeCredentials: [],
  });
  const { device, answer } = await shop.register({ token });
  expect(answer.json).toMatchObject({ id: device.id, kind: 'signing' });
  const again = await shop.start(shop.opened(token));
  expect(again.json.options.excludeCredentials).toEqual([
    { id: device.id, type: 'public-key', transports: ['internal'] },
  ]);
});

test('on a domain that both kinds share, an authenticator keeps one passkey of each kind', async () => {
  const shop = await PasskeyShop.open(shops);
  const [login, signing] = [await shop.start(), await shop.start(shop.opened(await shop.link()))];
  expect(login.json.options.user.id).not.toBe(signing.json.options.user.id);
});

test.each([
  ['another page', { origin: 'https://evil.example.com' }],
  ['the approval page', { origin: PLACE.approval_url }],
  ['a frame in another site', { crossOrigin: true }],
  ['an authenticator that was asked for another domain', { rp_id: 'approve.tender.test' }],
  ['a person whom the authenticator has not verified', { verified: false }],
  ['no person at all', { present: false, verified: false }],
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['a sign-in', { type: 'webauthn.get' }],
] as const)('S35: a registration by %s is 401, and nothing is registered', async (_, lies: Lies) => {
  const shop = await PasskeyShop.open(shops);
  const { answer } = await shop.register({ lies });
  expect([answer.status, answer.json.code]).toEqual([401, 'passkey_refused']);
  expect(await listOf(shop)).toEqual([]);
});

describe('S35: a challenge', () => {
  test('is answered once, also where the answer was bad', async () => {
    const shop = await PasskeyShop.open(shops);
    const device = new SoftwareAuthenticator(PLACE.url);
    const first = (await shop.start()).json;
    const good = device.create(first.options);
    expect((await shop.finish(first.challenge_id, good)).status).toBe(201);
    expect((await shop.finish(first.challenge_id, good)).status).toBe(401);
    const second = (await shop.start()).json;
    const other = new SoftwareAuthenticator(PLACE.url);
    const bad = other.create(second.options, { verified: false });
    expect((await shop.finish(second.challenge_id, bad)).status).toBe(401);
    expect((await shop.finish(second.challenge_id, other.create(second.options))).status).toBe(401);
  });

  test('is answered by one of ten who answer at once', async () => {
    const shop = await PasskeyShop.open(shops);
    const { json } = await shop.start();
    const devices = Array.from({ length: 10 }, () => new SoftwareAuthenticator(PLACE.url));
    const answers = await Promise.all(
      devices.map((device) => shop.finish(json.challenge_id, device.create(json.options))),
    );
    const good = answers.filter(({ status }) => status === 201);
    expect([good.length, answers.filter(({ status }) => status === 401).length]).toEqual([1, 9]);
  });

  test('is over after five minutes', async () => {
    const shop = await PasskeyShop.open(shops);
    const { json } = await shop.start();
    shops.stage.advance(CHALLENGE_MS);
    const late = new SoftwareAuthenticator(PLACE.url).create(json.options);
    expect((await shop.finish(json.challenge_id, late)).status).toBe(401);
  });

  test('is the merchant’s to whom it was given, and for what it was given', async () => {
    const [shop, other] = [await PasskeyShop.open(shops), await PasskeyShop.open(shops)];
    const { json } = await shop.start();
    const answer = new SoftwareAuthenticator(PLACE.url).create(json.options);
    expect((await other.finish(json.challenge_id, answer)).status).toBe(401);
    const token = await shop.link();
    expect((await shop.finish(json.challenge_id, answer, shop.opened(token))).status).toBe(401);
    expect((await shop.finish(json.challenge_id, answer)).status).toBe(201);
  });
});

test('only for the merchant that asks, under its own e-mail', async () => {
  const [shop, other] = [await PasskeyShop.open(shops), await PasskeyShop.open(shops)];
  const answers = [
    await shop.start(shop.session, { merchant_id: other.id }),
    await shop.start(shop.session, { email: other.email }),
    await other.start(shop.session),
  ];
  expect(answers.map(({ status, text }) => [status, text])).toEqual(
    answers.map(() => [404, answers[0]?.text]),
  );
  const shouted = { merchant_id: shop.id.toUpperCase(), email: shop.email.toUpperCase() };
  expect((await shop.start(shop.session, shouted)).status).toBe(200);
});

test('a credential is registered once, and at most 20 are', async () => {
  const shop = await PasskeyShop.open(shops);
  const { device } = await shop.register();
  const { json } = await shop.start();
  const again = await shop.finish(json.challenge_id, device.create(json.options));
  expect([again.status, again.json.code]).toEqual([409, 'passkey_exists']);
  const last = (await shop.start()).json;
  for (let count = 1; count < PASSKEYS_MAX; count += 1) await shop.register();
  const refused = [
    await shop.start(),
    await shop.finish(last.challenge_id, new SoftwareAuthenticator(PLACE.url).create(last.options)),
  ];
  expect(refused.map((answer) => [answer.status, answer.json.code])).toEqual([
    [422, 'too_many_passkeys'],
    [422, 'too_many_passkeys'],
  ]);
});

test('a credential whose id no path could hold is refused', async () => {
  const shop = await PasskeyShop.open(shops);
  const { json } = await shop.start();
  const device = new SoftwareAuthenticator(PLACE.url, 'ES256', { id_bytes: 76 });
  expect((await shop.finish(json.challenge_id, device.create(json.options))).status).toBe(401);
});

const UNREADABLE = { id: 'x', rawId: 'x', type: 'public-key', response: { clientDataJSON: 7 } };

test.each([{}, { id: 1 }, { response: null }, UNREADABLE])(
  'what is no credential at all is refused: %j',
  async (credential) => {
    const shop = await PasskeyShop.open(shops);
    const { json } = await shop.start();
    expect((await shop.finish(json.challenge_id, credential)).status).toBe(401);
  },
);

test('a passkey is removed by its own merchant, once', async () => {
  const [shop, other] = [await PasskeyShop.open(shops), await PasskeyShop.open(shops)];
  const { device } = await shop.register();
  const { answer: kept } = await shop.register();
  const remove = (by: PasskeyShop) =>
    shops.stage.send('DELETE', `${LIST}/${device.id}`, by.as(by.session));
  expect((await remove(other)).status).toBe(404);
  expect((await remove(shop)).json).toEqual({ removed: true });
  expect((await remove(shop)).status).toBe(404);
  expect(await listOf(shop)).toMatchObject([{ id: kept.json.id as string }]);
});
