import { apiKeyOf } from '@tender/contracts';
import {
  ADMIN_TOKEN,
  bearer,
  EdgeStage,
  LIVE_KEY,
  OTHER_KEY,
  OWN_PAGE,
  SAME_REQUEST,
  session,
  SESSION_TOKEN,
  TEST_KEY,
  UNKNOWN_KEY,
} from '../testing/edge-stage';

/** Well-formed, of no merchant, another one each time. */
const guess = (at: number) => apiKeyOf('test', Buffer.alloc(32, 100 + at));
const LIST = '/api/v1/payments';
const HELPER = '/api/v1/test_helpers/rates';
const MINT = { method: 'POST', url: '/admin/merchants/m1/keys', payload: { mode: 'live', reason: 'go live' } } as const;

describe('credentials', () => {
  const wrong_checksum = TEST_KEY.slice(0, -1) + (TEST_KEY.endsWith('0') ? '1' : '0');
  const BAD: Record<string, Record<string, string>> = {
    none: {},
    'lower-case scheme': { authorization: `bearer ${TEST_KEY}` },
    basic: { authorization: `Basic ${Buffer.from(`${TEST_KEY}:`).toString('base64')}` },
    'no scheme': { authorization: TEST_KEY },
    'trailing space': { authorization: `Bearer ${TEST_KEY} ` },
    'two spaces': { authorization: `Bearer  ${TEST_KEY}` },
    '8 KB': { authorization: `Bearer ${TEST_KEY}${'a'.repeat(8192)}` },
    'wrong checksum': bearer(wrong_checksum),
    'wrong prefix': bearer(TEST_KEY.replace('svc_test_', 'svc_prod_')),
    'the other mode’s prefix': bearer(TEST_KEY.replace('svc_test_', 'svc_live_')),
    unknown: bearer(UNKNOWN_KEY),
    'the admin token': bearer(ADMIN_TOKEN),
  };

  it('every bad credential gets the same answer (S1)', async () => {
    const stage = new EdgeStage();
    const answers = new Set<string>();
    for (const headers of Object.values(BAD)) {
      const answer = await stage.get(LIST, { ...headers, ...SAME_REQUEST });
      const { statusCode, body, headers: sent } = answer;
      const names = Object.keys(sent).sort().join();
      answers.add(JSON.stringify([statusCode, body, names]));
    }
    expect([...answers]).toHaveLength(1);
    expect([...answers][0]).toContain('authentication_failed');
    expect(stage.calls).toBe(0);
  });

  it('a wrong form or checksum is refused without a look-up (S2)', async () => {
    const stage = new EdgeStage();
    for (const [name, headers] of Object.entries(BAD)) {
      if (name !== 'unknown') await stage.get(LIST, headers);
    }
    expect(stage.looked_up).toEqual([]);
    await stage.get(LIST, bearer(UNKNOWN_KEY));
    expect(stage.looked_up).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  it('Authorization twice is refused, even when both are good', async () => {
    const stage = new EdgeStage();
    await stage.server.listen({ port: 0, host: '127.0.0.1' });
    const { port } = stage.server.server.address() as { port: number };
    const response = await fetch(`http://127.0.0.1:${port}${LIST}`, { headers: bearer(TEST_KEY) });
    expect(response.status).toBe(200);
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const asked = request({ port, host: '127.0.0.1', path: LIST }, (answer) => resolve(answer.statusCode));
      asked.setHeader('Authorization', [`Bearer ${TEST_KEY}`, `Bearer ${TEST_KEY}`]);
      asked.end();
    });
    await stage.server.close();
    expect(status).toBe(401);
  });

  it('a key in the query string is no credential (S8)', async () => {
    const stage = new EdgeStage();
    expect((await stage.get(`${LIST}?api_key=${TEST_KEY}`, {})).statusCode).toBe(401);
    expect((await stage.get(`${LIST}?authorization=Bearer%20${TEST_KEY}`, {})).statusCode).toBe(401);
    expect(JSON.stringify(stage.logged)).not.toContain(TEST_KEY);
  });

  it('bad keys run out after 60 a minute and IP; good keys and missing ones do not (S1, 110)', async () => {
    const stage = new EdgeStage();
    await stage.get(LIST, bearer(TEST_KEY));
    for (let at = 0; at < 60; at += 1) {
      expect((await stage.get(LIST, bearer(UNKNOWN_KEY))).statusCode).toBe(401);
    }
    const refused = await stage.get(LIST, bearer(UNKNOWN_KEY));
    expect(refused.statusCode).toBe(429);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'rate_limit_exceeded', retry_after: 61 });
    expect(refused.headers['retry-after']).toBe('61');
    const forwarded = await stage.get(LIST, { ...bearer(UNKNOWN_KEY), 'x-forwarded-for': '203.0.113.9' });
    expect(forwarded.statusCode).toBe(429); // S13
    expect((await stage.get(LIST, {})).statusCode).toBe(401);
    expect((await stage.get(LIST, bearer(TEST_KEY))).statusCode).toBe(200);
    stage.clock.ms += 62_000;
    expect((await stage.get(LIST, bearer(UNKNOWN_KEY))).statusCode).toBe(401);
  });

  it('with its bad keys used up, an address makes no look-up for a key that this gateway has not seen', async () => {
    const stage = new EdgeStage();
    await stage.get(LIST, bearer(TEST_KEY));
    for (let at = 0; at < 60; at += 1) await stage.get(LIST, bearer(guess(at)));
    const { length: looked_up } = stage.looked_up;
    for (let at = 60; at < 90; at += 1) {
      const { statusCode, headers } = await stage.get(LIST, bearer(guess(at)));
      expect([statusCode, headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual([429, '60', '0']);
    }
    // Good, but not seen before: it may come again.
    expect((await stage.get(LIST, bearer(OTHER_KEY))).statusCode).toBe(429);
    expect(stage.looked_up).toHaveLength(looked_up);
    expect((await stage.get(LIST, bearer(TEST_KEY))).statusCode).toBe(200);
    const elsewhere = { method: 'GET', url: LIST, remoteAddress: '192.0.2.7' } as const;
    const asked = await stage.server.inject({ ...elsewhere, headers: bearer(OTHER_KEY) });
    expect(asked.statusCode).toBe(200);
    stage.clock.ms += 62_000;
    expect((await stage.get(LIST, bearer(guess(90)))).statusCode).toBe(401);
  });

  it('where no limit refuses, every key is looked up', async () => {
    const stage = new EdgeStage({ config: { rate_limits: 'off' } });
    for (let at = 0; at < 70; at += 1) {
      expect((await stage.get(LIST, bearer(guess(at)))).statusCode).toBe(401);
    }
    expect(stage.looked_up).toHaveLength(70);
  });

  it('names the credential that was let in, once per request', async () => {
    const stage = new EdgeStage();
    await stage.get(LIST);
    await stage.get(LIST, bearer(UNKNOWN_KEY));
    expect(stage.used).toEqual(['key-merchant-a-test']);
    const { body } = await stage.get(LIST);
    expect((JSON.parse(body) as { caller: object }).caller).toMatchObject({
      merchant_id: 'merchant-a',
      mode: 'test',
      asker: { kind: 'key', key_id: 'key-merchant-a-test' },
      client_address: '127.0.0.1',
    });
  });

  it('admin routes take the admin token and nothing else; a merchant’s credential is refused as such (S37)', async () => {
    const stage = new EdgeStage();
    const ask = (headers: Record<string, string>) => stage.server.inject({ ...MINT, headers });
    expect((await ask(bearer(ADMIN_TOKEN))).statusCode).toBe(201);
    expect((await ask(bearer(`${ADMIN_TOKEN}x`))).statusCode).toBe(401);
    const signed_in = { ...session(SESSION_TOKEN), ...OWN_PAGE };
    const merchants: object[] = [bearer(TEST_KEY), bearer(LIVE_KEY), signed_in];
    const others = [{}, bearer(UNKNOWN_KEY), session(SESSION_TOKEN.replace('S', 'x'))];
    for (const headers of [...merchants, ...others]) {
      const { statusCode, body } = await ask(headers as Record<string, string>);
      const { error } = JSON.parse(body) as { error: string };
      const status = merchants.includes(headers) ? 403 : 401;
      expect([statusCode, error]).toEqual([status, expect.stringMatching(/admin token .* ADMIN_TOKEN/)]);
    }
  });

  it('outside the operator’s networks nothing under /admin exists (S37)', async () => {
    const stage = new EdgeStage({ config: { admin_networks: ['10.0.0.0/8', '2001:db8::/32'] } });
    const ask = (remoteAddress: string, url: string = MINT.url, method: 'POST' | 'GET' = MINT.method) =>
      stage.server.inject({
        ...{ ...MINT, url, method, remoteAddress },
        headers: { ...bearer(ADMIN_TOKEN), ...SAME_REQUEST },
      });
    for (const inside of ['10.1.2.3', '::ffff:10.1.2.3', '2001:db8::7']) {
      expect((await ask(inside)).statusCode).toBe(201);
    }
    const unknown = await ask('192.0.2.1', '/api/v1/nowhere');
    const spelt = await ask('192.0.2.1', MINT.url.replace('/admin', '/%61dmin'));
    expect([spelt.statusCode, spelt.body]).toEqual([404, unknown.body]);
    for (const outside of ['192.0.2.1', '2001:db9::7', '127.0.0.1']) {
      const { statusCode, body } = await ask(outside);
      expect([statusCode, body]).toEqual([404, unknown.body]);
      // Neither that the path takes another method.
      expect((await ask(outside, MINT.url, 'GET')).statusCode).toBe(404);
    }
    expect((await ask('10.1.2.3', MINT.url, 'GET')).statusCode).toBe(405);
  });

  it.each([undefined, '', ' ', '\u200b', 'go\u202e live', 'x'.repeat(501)])(
    'an operator’s change without a reason that can be read is refused: %j',
    async (reason) => {
      const stage = new EdgeStage();
      const payload = { mode: 'live', reason };
      const asked = { ...MINT, payload, headers: bearer(ADMIN_TOKEN) };
      const { statusCode, body } = await stage.server.inject(asked);
      expect([statusCode, JSON.parse(body)]).toMatchObject([
        ...[400, { details: { fields: [{ field: 'reason' }] } }],
      ]);
    },
  );

  it('helpers take a test key or the admin token; for a live key they do not exist', async () => {
    const stage = new EdgeStage();
    expect((await stage.get(HELPER, bearer(TEST_KEY))).statusCode).toBe(200);
    expect((await stage.get(HELPER, bearer(ADMIN_TOKEN))).statusCode).toBe(200);
    expect((await stage.get(HELPER, bearer(LIVE_KEY))).statusCode).toBe(404);
    expect((await stage.get(HELPER, {})).statusCode).toBe(401);
  });

  it('helpers that are off are unknown paths for every caller', async () => {
    const stage = new EdgeStage({ config: { test_helpers: false } });
    for (const caller of [{}, bearer(TEST_KEY), bearer(ADMIN_TOKEN)]) {
      const headers = { ...caller, ...SAME_REQUEST };
      const { statusCode, body } = await stage.get(HELPER, headers);
      expect([statusCode, body]).toEqual([404, (await stage.get('/nowhere', headers)).body]);
    }
    expect((await stage.server.inject({ method: 'DELETE', url: HELPER })).statusCode).toBe(404);
  });

  it('sign-up asks for its token where one is set', async () => {
    const body = { name: 'A', email: 'a@shop.example', business_address: 'Road 1' };
    const ask = (stage: EdgeStage, headers = {}) =>
      stage.server.inject({ method: 'POST', url: '/api/v1/merchants', payload: body, headers });
    expect((await ask(new EdgeStage())).statusCode).toBe(201);
    const guarded = new EdgeStage({ config: { signup_token: 'let me in' } });
    const { statusCode, body: refusal } = await ask(guarded);
    expect([statusCode, refusal]).toEqual([401, expect.stringContaining('SIGNUP_TOKEN')]);
    expect((await ask(guarded, bearer('let me out'))).statusCode).toBe(401);
    expect((await ask(guarded, bearer('let me in'))).statusCode).toBe(201);
  });
});
