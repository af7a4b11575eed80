import { hash } from 'node:crypto';
import { sessionTokensIn } from '@tender/contracts';
import { CHALLENGE_MS } from '../passkeys/challenge.record';
import { PasskeyShop, PLACE } from '../testing/passkey-shop';
import { Shops } from '../testing/shops';
import { SoftwareAuthenticator, type Lies } from '../testing/software-authenticator';

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(shops.close);

const START = '/api/v1/merchants/login/start';
const tokenOf = (headers: Readonly<Record<string, unknown>>): string => {
  const [cookie = ''] = [headers['set-cookie']].flat() as string[];
  return sessionTokensIn(cookie.split(';')[0])[0] ?? '';
};
const holderOf = (headers: Readonly<Record<string, unknown>>) =>
  shops.stage.sessions.authenticate(hash('sha256', tokenOf(headers)));

test.each(['ES256', 'EdDSA'] as const)('a passkey that signs by %s opens a session', async (algorithm) => {
  const shop = await PasskeyShop.open(shops);
  const { device } = await shop.register({ algorithm });
  const { status, json, headers } = await shop.signIn(device);
  expect([status, json]).toEqual([
    200,
    {
      merchant_id: shop.id,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      expires_at: expect.any(String) as string,
    },
  ]);
  const { session_id } = json;
  expect(await holderOf(headers)).toMatchObject({ merchant_id: shop.id, session_id });
  const [listed] = await shops.stage.sessions.list(shop.id);
  expect(listed).toMatchObject({ method: 'passkey', passkey_id: device.id });
});

test('S34: a sign-in begins alike whether or not there is such a merchant, and names no passkey', async () => {
  const shop = await PasskeyShop.open(shops);
  await shop.register();
  const [known, unknown] = [
    await shops.post(START, { email: shop.email }),
    await shops.post(START, { email: 'nobody@shop.example.com' }),
  ];
  const form = ({ status, headers, json }: typeof known) => ({
    status,
    headers: { ...headers, date: '' },
    ids: [json.session_id.length, json.challenge.length],
    options: { ...json.webauthn_options, challenge: '' },
  });
  expect(form(known)).toEqual(form(unknown));
  expect(known.json.webauthn_options).toEqual({
    rpId: 'tender.test',
    challenge: known.json.challenge,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  });
});

describe('S35: everything else than its own passkey is one refusal', () => {
  const refusals: string[] = [];
  const refused = ({ status, text, headers }: Awaited<ReturnType<Shops['post']>>): void => {
    expect(status).toBe(401);
    expect(headers).not.toHaveProperty('set-cookie');
    refusals.push(text);
    expect(new Set(refusals).size).toBe(1);
  };

  test.each([
    ['another page', { origin: 'https://evil.example.com' }],
    ['the approval page', { origin: PLACE.approval_url }],
    ['a frame in another site', { crossOrigin: true }],
    ['an authenticator that was asked for another domain', { rp_id: 'evil.example.com' }],
    ['a person whom the authenticator has not verified', { verified: false }],
    ['no person at all', { present: false }],
    ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
    ['a registration', { type: 'webauthn.create' }],
  ] as const)('an answer by %s', async (_, lies: Lies) => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register();
    refused(await shop.signIn(device, lies));
    expect((await shop.signIn(device)).status).toBe(200);
  });

  test('a passkey that no merchant has, and one that is named as another', async () => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register();
    const stranger = new SoftwareAuthenticator(PLACE.url);
    refused(await shop.signIn(stranger));
    refused(await shop.signIn(stranger, { id: device.id }));
    refused(await shop.signIn(device, {}, 'nobody@shop.example.com'));
  });

  test('another merchant’s passkey', async () => {
    const [shop, other] = [await PasskeyShop.open(shops), await PasskeyShop.open(shops)];
    await shop.register();
    const { device } = await other.register();
    refused(await shop.signIn(device));
  });

  test('a passkey that signs', async () => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register({ token: await shop.link() });
    refused(await shop.signIn(device, { origin: PLACE.url }));
  });

  test('an answer that was given before, one that comes late, and one to a registration', async () => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register();
    const first = (await shops.post(START, { email: shop.email })).json;
    const answer = device.get(first.webauthn_options);
    expect((await shop.verify(first.session_id, answer)).status).toBe(200);
    refused(await shop.verify(first.session_id, answer));
    const late = (await shops.post(START, { email: shop.email })).json;
    shops.stage.advance(CHALLENGE_MS);
    refused(await shop.verify(late.session_id, device.get(late.webauthn_options)));
    const registering = (await shop.start()).json;
    refused(await shop.verify(registering.challenge_id, device.get(registering.options)));
  });

  test('what is no answer at all', async () => {
    const shop = await PasskeyShop.open(shops);
    for (const credential of [{}, { id: shop.id }, { id: {}, response: [] }]) {
      const { json } = await shops.post(START, { email: shop.email });
      refused(await shop.verify(json.session_id, credential));
    }
  });

  test('a passkey that has counted less than before: it may be a copy', async () => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register({ counts: true });
    refused(await shop.signIn(device, { counter: 1 }));
    expect((await shop.signIn(device, { counter: 7 })).status).toBe(200);
    refused(await shop.signIn(device, { counter: 7 }));
    refused(await shop.signIn(device, { counter: 0 }));
    expect((await shop.signIn(device, { counter: 8 })).status).toBe(200);
  });
});

test('S31: a passkey that is removed opens nothing more, and what it has opened ends', async () => {
  const shop = await PasskeyShop.open(shops);
  const [lost, kept] = [(await shop.register()).device, (await shop.register()).device];
  const [of_lost, of_kept] = [await shop.signIn(lost), await shop.signIn(kept)];
  const path = `/api/v1/merchants/me/passkeys/${lost.id}`;
  await shops.stage.send('DELETE', path, shop.as(shop.session));
  expect(await holderOf(of_lost.headers)).toBeNull();
  expect(await holderOf(of_kept.headers)).toMatchObject({ merchant_id: shop.id });
  expect((await shop.signIn(lost)).status).toBe(401);
});

describe('S31: a removal and a sign-in by the same passkey', () => {
  const remove = (shop: PasskeyShop, id: string, caller = shop.session) =>
    shops.stage.send('DELETE', `/api/v1/merchants/me/passkeys/${id}`, shop.as(caller));

  test('at the same moment: the sign-in that was let in before opens nothing', async () => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register();
    const { sessions } = shops.stage;
    const begin = sessions.begin.bind(sessions);
    jest.spyOn(sessions, 'begin').mockImplementationOnce(async (session, reply) => {
      expect((await remove(shop, device.id)).status).toBe(200);
      return begin(session, reply);
    });
    const { status, headers } = await shop.signIn(device);
    expect([status, await sessions.list(shop.id)]).toEqual([401, []]);
    // No token leaves, not even one that is over.
    expect(tokenOf(headers)).toBe('');
  });

  test('a process that dies once the passkey is removed leaves the session that asked, and its repeat ends that', async () => {
    const shop = await PasskeyShop.open(shops);
    const { device } = await shop.register();
    const [thief, own] = [await shop.signIn(device), await shop.signIn(device)];
    const asker = { kind: 'session', session_id: own.json.session_id as string } as const;
    const caller = { ...shop.session, asker };
    const { sessions } = shops.stage;
    const end = sessions.endOfPasskey.bind(sessions);
    const dies = jest.spyOn(sessions, 'endOfPasskey').mockImplementation(async (...asked) => {
      if (asked[2] === null) throw new Error('killed here');
      return end(...asked);
    });
    expect((await remove(shop, device.id, caller)).status).toBe(500);
    dies.mockRestore();
    expect(await holderOf(thief.headers)).toBeNull();
    expect((await shop.signIn(device)).status).toBe(401);
    expect(await holderOf(own.headers)).not.toBeNull();
    expect((await remove(shop, device.id, caller)).status).toBe(404);
    expect(await holderOf(own.headers)).toBeNull();
  });
});

test('a list of passkeys says when each was used last', async () => {
  const shop = await PasskeyShop.open(shops);
  const { device } = await shop.register();
  await shop.signIn(device);
  const path = '/api/v1/merchants/me/passkeys';
  const { json } = await shops.stage.send('GET', path, shop.as(shop.session));
  expect(json).toMatchObject([{ id: device.id }]);
  const [{ created_at, last_used_at }] = json;
  const now = new Date(shops.stage.runtime.clock.now()).toISOString();
  expect(created_at <= last_used_at && last_used_at <= now).toBe(true);
});
