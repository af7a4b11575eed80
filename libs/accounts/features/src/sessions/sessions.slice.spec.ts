import { Browser } from '../testing/a-browser';
import { Shops } from '../testing/shops';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const shops = new Shops();
beforeAll(() => shops.start());
afterAll(() => shops.close());

const browser = () => new Browser(() => shops.stage.sessions);
const signedIn = async (changes: object = {}) => {
  const shop = await shops.newShop();
  const page = browser();
  const answer = await page.begin(shop.id, changes);
  const caller = { merchant_id: shop.id, asker: { kind: 'session', session_id: answer.session_id } } as const;
  const send = (method: 'GET' | 'POST' | 'DELETE', path: string) =>
    shops.stage.send(method, `/api/v1/merchants${path}`, shops.stage.caller(caller));
  return { shop, page, answer, send };
};
const rows = (merchant_id: string) =>
  shops.stage.runtime.readModels.query('select * from accounts.sessions where merchant_id = $1', [merchant_id]);

describe('a session', () => {
  test('is its merchant in the mode of its best key; its token is stored nowhere (S30)', async () => {
    const { shop, page, answer } = await signedIn();
    expect(await page.holder()).toMatchObject({
      ...{ merchant_id: shop.id, session_id: answer.session_id, mode: 'test' },
      ...{ merchant_name: 'Corner Shop', amount_max: 99_999_999 },
    });
    expect(page.token).toMatch(/^[0-9A-Za-z]{43}$/);
    expect(page.set_cookie).toBe(
      `svc_session=${page.token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure`,
    );
    expect(JSON.stringify(await rows(shop.id))).not.toMatch(new RegExp(`${page.token}|192.0.2.1|A browser`));
    await shops.post(`/admin/merchants/${shop.id}/keys`, { mode: 'live', reason: 'first' });
    expect((await page.holder())?.mode).toBe('live');
  });

  test('says the merchant’s new name at once', async () => {
    const { shop, page } = await signedIn();
    await shops.stage.send('PATCH', '/api/v1/merchants/me', shops.stage.caller(shop.as()), { name: 'New Shop' });
    expect((await page.holder())?.merchant_name).toBe('New Shop');
  });

  test('has a new token at each sign-in, and the one that the browser had is over (S30, fixation)', async () => {
    const { shop, page } = await signedIn();
    const { token } = page;
    await page.begin(shop.id);
    expect(page.token).not.toBe(token);
    expect([await page.holder(token), (await page.holder())?.merchant_id]).toEqual([null, shop.id]);
  });

  test('a cookie that was planted becomes no session, and ends none of another merchant', async () => {
    const [{ shop }, thief] = [await signedIn(), await signedIn()];
    const victim = browser();
    victim.token = thief.page.token;
    await victim.begin(shop.id);
    expect(victim.token).not.toBe(thief.page.token);
    expect((await thief.page.holder())?.merchant_id).toBe(thief.shop.id);
    const planted = browser();
    planted.token = 'x'.repeat(43);
    await planted.begin(shop.id);
    expect(await planted.holder('x'.repeat(43))).toBeNull();
  });

  test('ends after 30 minutes without a request, and 12 hours after it began (S30)', async () => {
    const [used, idle] = [await signedIn(), await signedIn()];
    for (let minutes = 0; minutes < 12 * 60 - 29; minutes += 29) {
      shops.stage.advance(29 * MINUTE_MS);
      expect(await used.page.holder()).not.toBeNull();
    }
    expect(await idle.page.holder()).toBeNull();
    shops.stage.advance(29 * MINUTE_MS);
    expect(await used.page.holder()).toBeNull();
    const last = await signedIn();
    shops.stage.advance(30 * MINUTE_MS);
    expect(await last.page.holder()).toBeNull();
    // Also where the process that saw it used has forgotten.
    expect((await last.send('GET', '/me/sessions')).json).toEqual([]);
  });

  test('is over at once when it is signed out, and the cookie is taken back (S31)', async () => {
    const { page, send } = await signedIn();
    const { status, json, headers } = await send('POST', '/logout');
    expect([status, json, await page.holder()]).toEqual([200, { ended: true }, null]);
    expect(headers['set-cookie']).toBe('svc_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure');
  });
});

describe('the sessions of a merchant', () => {
  test('are listed, newest first, with who has them', async () => {
    const { shop, send, answer } = await signedIn({ user_agent: 'Ünusual/1.0'.repeat(50) });
    shops.stage.advance(MINUTE_MS);
    const phone = browser();
    const { session_id } = await phone.begin(shop.id, { method: 'passkey', passkey_id: 'credential' });
    const { json, headers } = await send('GET', '/me/sessions');
    expect(headers['x-total-count']).toBe('2');
    expect(json).toMatchObject([
      { id: session_id, method: 'passkey', passkey_id: 'credential', is_current: false },
      { id: answer.session_id, method: 'login_code', passkey_id: null, is_current: true },
    ]);
    expect(json[1].user_agent).toHaveLength(300);
    expect(json[0]).toMatchObject({ client_address: '192.0.2.1', user_agent: 'A browser' });
    expect(Date.parse(json[0].expires_at) - Date.parse(json[0].last_seen_at)).toBe(30 * MINUTE_MS);
  });

  test('show when each was last used; that is written at most once a minute', async () => {
    const { shop, page, send } = await signedIn();
    const [first] = await rows(shop.id);
    shops.stage.advance(MINUTE_MS / 2);
    await page.holder();
    expect(await rows(shop.id)).toEqual([first]);
    const { json } = await send('GET', '/me/sessions');
    const began_ms = Number(first?.seen_ms);
    expect(Date.parse(json[0].last_seen_at)).toBeGreaterThanOrEqual(began_ms + MINUTE_MS / 2);
    shops.stage.advance(MINUTE_MS / 2);
    await page.holder();
    const [later] = await rows(shop.id);
    expect(Number(later?.seen_ms)).toBeGreaterThanOrEqual(began_ms + MINUTE_MS);
  });

  test('end one by one, or all but the one that asks (S31)', async () => {
    const { shop, page, send } = await signedIn();
    const others = [browser(), browser(), browser()];
    const ids: string[] = [];
    for (const one of others) ids.push((await one.begin(shop.id)).session_id);
    expect((await send('DELETE', `/me/sessions/${ids[0]}`)).status).toBe(200);
    expect(await others[0]?.holder()).toBeNull();
    expect((await send('DELETE', `/me/sessions/${ids[0]}`)).status).toBe(404);
    expect(await others[1]?.holder()).not.toBeNull();
    expect((await send('DELETE', '/me/sessions')).json).toEqual({ ended: true });
    expect(await Promise.all(others.map((one) => one.holder()))).toEqual([null, null, null]);
    expect(await page.holder()).not.toBeNull();
  });

  test('no other merchant sees or ends them', async () => {
    const [mine, theirs] = [await signedIn(), await signedIn()];
    expect((await mine.send('DELETE', `/me/sessions/${theirs.answer.session_id}`)).status).toBe(404);
    await mine.send('DELETE', '/me/sessions');
    expect(await theirs.page.holder()).not.toBeNull();
    expect((await mine.send('GET', '/me/sessions')).json).toHaveLength(1);
  });

  test('end with the passkey that opened them, and only those (S31)', async () => {
    const { shop, page } = await signedIn();
    const [lost, kept] = [browser(), browser()];
    await lost.begin(shop.id, { method: 'passkey', passkey_id: 'lost' });
    await kept.begin(shop.id, { method: 'passkey', passkey_id: 'kept' });
    await shops.stage.sessions.endOfPasskey(shop.id, 'lost', null);
    expect(await lost.holder()).toBeNull();
    expect([await kept.holder(), await page.holder()]).not.toContain(null);
    await shops.stage.sessions.endAll(shop.id, null);
    expect([await kept.holder(), await page.holder()]).toEqual([null, null]);
  });

  test('that are long over are forgotten at the next sign-in', async () => {
    const { shop } = await signedIn();
    shops.stage.advance(31 * 24 * HOUR_MS);
    await browser().begin(shop.id);
    expect(await rows(shop.id)).toHaveLength(1);
  });
});

test('a session makes the first live key, which a test key cannot (S5)', async () => {
  const { shop, answer } = await signedIn();
  const asker = { kind: 'session', session_id: answer.session_id } as const;
  const mint = (changes: object) => shops.post('/api/v1/keys', { mode: 'live' }, shop.as(changes));
  expect((await mint({ asker: { kind: 'key', key_id: 'k' } })).status).toBe(403);
  const { status, json } = await mint({ asker });
  expect([status, json.mode]).toEqual([201, 'live']);
  expect((await shops.holderOf(json.key))?.mode).toBe('live');
});

test('the merchant reads itself', async () => {
  const { shop, send } = await signedIn();
  const { json } = await send('GET', '/me');
  expect(json).toMatchObject({ id: shop.id, name: 'Corner Shop', email: shops.lastEmail, business_address: '5 High Street' });
});
