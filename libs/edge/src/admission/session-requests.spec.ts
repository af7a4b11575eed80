import {
  bearer,
  EdgeStage,
  LIVE_KEY,
  OTHER_SESSION_TOKEN,
  OWN_PAGE,
  paymentId,
  SAME_REQUEST,
  session,
  SESSION_TOKEN,
  SETUP_TOKEN,
  TEST_KEY,
  UNKNOWN_KEY,
} from '../testing/edge-stage';
import { plan, readMe, renameMe, routes, setMeUp, subscribe } from '../testing/route-stage';

const LIST = '/api/v1/payments';
const SIGNED_IN = session(SESSION_TOKEN);
const stageOf = (config = {}) => new EdgeStage({ routes, config });

type Sent = Record<string, string>;
interface Answered {
  readonly caller: Record<string, unknown>;
  readonly query: object;
  readonly code?: string;
}

async function ask(stage: EdgeStage, url: string, headers: Sent = SIGNED_IN, method = 'GET') {
  const answer = await stage.server.inject({ url, headers, method: method as 'GET' });
  const { statusCode: status, headers: sent, body } = answer;
  return { status, sent, body, json: (body ? JSON.parse(body) : {}) as Answered };
}

describe('a session', () => {
  it('is its merchant wherever a key is, as a person of it', async () => {
    const stage = stageOf();
    const { status, json } = await ask(stage, LIST);
    expect([status, json.caller]).toMatchObject([
      200,
      {
        ...{ merchant_id: 'merchant-a', mode: 'live', actor: 'session:session-merchant-a' },
        asker: { kind: 'session', session_id: 'session-merchant-a' },
      },
    ]);
    expect((await ask(stage, readMe.path)).status).toBe(200);
    expect(stage.used).toEqual([]);
  });

  it.each(['mode=test', 'limit=3&mode=test&offset=1', 'mode=test&mode_of=x'])(
    'names the mode in the query, which nothing behind reads: ?%s',
    async (query) => {
      const { status, json, sent } = await ask(stageOf(), `${LIST}?${query}`);
      expect([status, json.caller.mode, sent['x-svc-mode']]).toEqual([200, 'test', 'test']);
      expect(json.query).not.toHaveProperty('mode');
    },
  );

  it('has the mode of its merchant where it names none', async () => {
    const stage = stageOf();
    const modes = [SESSION_TOKEN, OTHER_SESSION_TOKEN].map(
      async (token) => (await ask(stage, LIST, session(token))).json.caller.mode,
    );
    expect(await Promise.all(modes)).toEqual(['live', 'test']);
    expect((await ask(stage, `${LIST}?mode=live`, session(OTHER_SESSION_TOKEN))).json.caller.mode).toBe('live');
  });

  it.each(['mode=', 'mode=LIVE', 'mode=all', 'mode=test&mode=live', 'mode[]=test', 'mode=%zz'])(
    'names no other mode, and none twice: ?%s',
    async (query) => {
      const stage = stageOf();
      const { status, json } = await ask(stage, `${LIST}?${query}`);
      expect([status, json.code, stage.calls]).toEqual([400, 'invalid_parameter', 0]);
    },
  );

  it('does not see an object of the other mode', async () => {
    const stage = stageOf();
    const of_test = `${LIST}/${paymentId(1)}`;
    expect((await ask(stage, of_test)).status).toBe(404);
    expect((await ask(stage, `${of_test}?mode=test`)).status).toBe(200);
  });

  it('a key’s mode is in the key, whatever the query says', async () => {
    const { json } = await ask(stageOf(), `${LIST}?mode=live`, bearer(TEST_KEY));
    expect(json.caller.mode).toBe('test');
  });

  it('counts with the keys of its merchant', async () => {
    const stage = new EdgeStage({ holder: { limits: { creation: 0, read: 2, other: 0 } } });
    expect((await ask(stage, LIST, bearer(TEST_KEY))).status).toBe(200);
    expect((await ask(stage, LIST)).status).toBe(200);
    expect((await ask(stage, LIST)).status).toBe(429);
  });

  it('has Idempotency-Keys of its own: what it was shown, no key of its merchant is (S5)', async () => {
    const stage = stageOf();
    const body = (headers: Sent) =>
      stage.server.inject({
        ...{ method: 'POST', url: LIST, payload: { amount: 1 } },
        headers: { 'idempotency-key': 'k1', ...headers },
      });
    const signed_in = { ...SIGNED_IN, ...OWN_PAGE };
    const first = await body(signed_in);
    const by_key = await body(bearer(LIVE_KEY));
    expect([by_key.statusCode, by_key.headers['idempotency-replayed']]).toEqual([200, undefined]);
    const again = await body(signed_in);
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
  });

  it('repeats an answer after the first live key has changed its mode', async () => {
    const holder: { mode: 'test' | 'live' } = { mode: 'test' };
    const stage = new EdgeStage({ routes, holder });
    const send = () =>
      stage.server.inject({
        ...{ method: 'POST', url: LIST, payload: { amount: 1 } },
        headers: { 'idempotency-key': 'k1', ...SIGNED_IN, ...OWN_PAGE },
      });
    const first = await send();
    holder.mode = 'live';
    const again = await send();
    expect([again.headers['idempotency-replayed'], again.body]).toEqual(['true', first.body]);
  });

  it('from a Host that is none is refused', async () => {
    const odd = { ...SIGNED_IN, host: 'a b', origin: 'http://a b' };
    expect((await ask(stageOf(), LIST, odd, 'POST')).status).toBe(403);
  });

  it('gives way to an Authorization that is sent beside it', async () => {
    const stage = stageOf();
    const both = await ask(stage, LIST, { ...session(OTHER_SESSION_TOKEN), ...bearer(TEST_KEY) });
    expect(both.json.caller.merchant_id).toBe('merchant-a');
    expect((await ask(stage, LIST, { ...SIGNED_IN, ...bearer(UNKNOWN_KEY) })).status).toBe(401);
    expect((await ask(stage, readMe.path, { ...SIGNED_IN, ...bearer(TEST_KEY) })).status).toBe(403);
  });
});

describe('what is no session', () => {
  const BAD: Record<string, Sent> = {
    none: {},
    'one that has ended': session('x'.repeat(43)),
    empty: session(''),
    'too short': session(SESSION_TOKEN.slice(1)),
    'too long': session(`${SESSION_TOKEN}S`),
    quoted: session(`"${SESSION_TOKEN}"`),
    'another name': { cookie: `svc_session2=${SESSION_TOKEN}; xsvc_session=${SESSION_TOKEN}` },
    'two of them': { cookie: `svc_session=${SESSION_TOKEN}; svc_session=${OTHER_SESSION_TOKEN}` },
    'in the query': { cookie: '' },
  };

  it('all get the same answer, and most without a look-up (S1, S2)', async () => {
    const stage = stageOf();
    const answers = new Set<string>();
    for (const headers of Object.values(BAD)) {
      const { status, body } = await ask(stage, `${readMe.path}?svc_session=${SESSION_TOKEN}`, {
        ...headers,
        ...SAME_REQUEST,
      });
      answers.add(JSON.stringify([status, body]));
    }
    expect([...answers]).toEqual([expect.stringContaining('authentication_failed')]);
    expect([stage.calls, stage.looked_up.length]).toEqual([0, 1]);
  });

  it('is found among other cookies', async () => {
    const cookie = `a=1; svc_session=${SESSION_TOKEN} ; b="x=;"`;
    expect((await ask(stageOf(), readMe.path, { cookie })).status).toBe(200);
  });

  it('runs out with the bad keys of its address; one that is known here goes on', async () => {
    const stage = stageOf();
    expect((await ask(stage, LIST)).status).toBe(200);
    for (let at = 0; at < 60; at += 1) {
      const guess = session(String(at).padStart(43, '0'));
      expect((await ask(stage, LIST, guess)).status).toBe(401);
    }
    const { length: looked_up } = stage.looked_up;
    expect((await ask(stage, LIST, session('y'.repeat(43)))).status).toBe(429);
    expect((await ask(stage, LIST, session(OTHER_SESSION_TOKEN))).status).toBe(429);
    expect(stage.looked_up).toHaveLength(looked_up);
    expect((await ask(stage, LIST)).status).toBe(200);
  });

  it('is a stranger where strangers are let in: browsers go on sending what has ended', async () => {
    const url = subscribe.path.replace('{id}', plan('test'));
    const ended = { ...session('x'.repeat(43)), ...OWN_PAGE };
    const { status, json } = await ask(stageOf(), url, ended, 'POST');
    expect([status, json.caller]).toMatchObject([200, { actor: 'public', merchant_id: '' }]);
  });

  it('guesses where strangers are let in run out like all others', async () => {
    const stage = stageOf();
    const url = subscribe.path.replace('{id}', plan('test'));
    const guess = (at: number) => ({ ...session(String(at).padStart(43, '0')), ...OWN_PAGE });
    for (let at = 0; at < 60; at += 1) {
      expect((await ask(stage, url, guess(at), 'POST')).status).toBe(200);
    }
    const { length: looked_up } = stage.looked_up;
    expect((await ask(stage, url, guess(60), 'POST')).status).toBe(429);
    expect((await ask(stage, LIST, session('y'.repeat(43)))).status).toBe(429);
    expect(stage.looked_up).toHaveLength(looked_up);
    // Without one the same page goes on.
    expect((await ask(stage, url, OWN_PAGE, 'POST')).status).toBe(200);
  });
});

describe('what a session changes, a page of the program asks for (S32)', () => {
  const HOST = { host: 'tender.test' };
  const FOREIGN: Record<string, Sent> = {
    'no Origin': HOST,
    'another site': { ...HOST, origin: 'https://evil.test' },
    'another port': { ...HOST, origin: 'http://tender.test:81' },
    'another scheme': { ...HOST, origin: 'https://tender.test' },
    'a part of another host': { ...HOST, origin: 'http://tender.test.evil.test' },
    'a host below': { ...HOST, origin: 'http://sub.tender.test' },
    'an opaque origin': { ...HOST, origin: 'null' },
    'the browser says that it comes from elsewhere': { ...OWN_PAGE, 'sec-fetch-site': 'cross-site' },
  };

  it.each(Object.entries(FOREIGN))('%s is refused, and counts nothing', async (_, headers) => {
    const stage = stageOf();
    for (const sent of [{ ...SIGNED_IN, ...headers }]) {
      const { status, json } = await ask(stage, renameMe.path, sent, 'PATCH');
      expect([status, json.code]).toEqual([403, 'forbidden']);
      expect((await ask(stage, LIST, sent, 'POST')).status).toBe(403);
    }
    const { sent } = await ask(stage, LIST, { ...SIGNED_IN, ...OWN_PAGE }, 'POST');
    expect([stage.calls, sent['x-ratelimit-remaining']]).toEqual([0, '49']);
  });

  it('its own pages are let in; what is read needs none', async () => {
    const stage = stageOf();
    const own = { ...SIGNED_IN, ...OWN_PAGE, 'sec-fetch-site': 'same-origin' };
    expect((await ask(stage, renameMe.path, own, 'PATCH')).status).toBe(200);
    expect((await ask(stage, readMe.path, { ...SIGNED_IN, origin: 'https://evil.test' })).status).toBe(200);
    expect((await ask(stage, renameMe.path, { ...SIGNED_IN, host: 'T:1', origin: 'http://t:1' }, 'PATCH')).status).toBe(200);
  });

  it.each(['GET', 'HEAD', 'POST', 'PATCH'])('%s of another site is refused before the session is looked up, and counts nothing', async (method) => {
    const stage = stageOf();
    const from = { ...SIGNED_IN, ...OWN_PAGE, 'sec-fetch-site': 'cross-site' };
    const urls = method === 'PATCH' ? [renameMe.path] : method === 'POST' ? [LIST] : [LIST, readMe.path];
    for (const url of urls) {
      const answer = await stage.server.inject({ url, headers: from, method: method as 'GET' });
      expect(answer.statusCode).toBe(403);
    }
    expect([stage.calls, stage.looked_up]).toEqual([0, []]);
    expect((await ask(stage, LIST)).sent['x-ratelimit-remaining']).toBe('199');
  });

  it('where strangers are let in, a page of another site is one, and its session is not looked up', async () => {
    const url = subscribe.path.replace('{id}', plan('test'));
    const foreign: Sent[] = [{ ...OWN_PAGE, 'sec-fetch-site': 'cross-site' }, { ...HOST, origin: 'https://evil.test' }];
    for (const headers of foreign) {
      const stage = stageOf();
      const { status, json } = await ask(stage, url, { ...SIGNED_IN, ...headers }, 'POST');
      expect([status, json.caller]).toMatchObject([200, { actor: 'public', merchant_id: '' }]);
      expect(stage.looked_up).toEqual([]);
    }
    const { json } = await ask(stageOf(), `${url}?mode=test`, { ...SIGNED_IN, ...OWN_PAGE }, 'POST');
    expect(json.caller.merchant_id).toBe('merchant-a');
  });

  it('a mode that is none is refused before the session is looked up', async () => {
    const stage = stageOf();
    expect((await ask(stage, `${LIST}?mode=all`)).status).toBe(400);
    expect(stage.looked_up).toEqual([]);
  });

  it('where the program has an address, that alone is its own', async () => {
    const stage = stageOf({ public_url: 'https://pay.shop.test/' });
    const from = (origin: string) =>
      ask(stage, renameMe.path, { ...SIGNED_IN, ...HOST, origin }, 'PATCH').then(({ status }) => status);
    expect(await from('https://pay.shop.test')).toBe(200);
    expect(await from('http://tender.test')).toBe(403);
    expect(await from('http://pay.shop.test')).toBe(403);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body as a form of another page could send it is refused: %s',
    async (type) => {
      const stage = stageOf();
      const { statusCode } = await stage.server.inject({
        ...{ method: 'POST', url: LIST, payload: '{"amount":1}' },
        headers: { ...SIGNED_IN, ...OWN_PAGE, 'content-type': type },
      });
      expect([statusCode, stage.calls]).toEqual([415, 0]);
    },
  );

  it('a key needs no page', async () => {
    const { status } = await ask(stageOf(), LIST, { ...bearer(TEST_KEY), origin: 'https://shop.test' }, 'POST');
    expect(status).not.toBe(403);
  });
});

describe('a set-up token', () => {
  it('opens what it is for, and a session does, too', async () => {
    const stage = stageOf();
    const { json } = await ask(stage, setMeUp.path, bearer(SETUP_TOKEN), 'POST');
    expect(json.caller).toMatchObject({
      ...{ merchant_id: 'merchant-a', actor: 'setup' },
      asker: { kind: 'setup', token_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    const signed_in = await ask(stage, setMeUp.path, { ...SIGNED_IN, ...OWN_PAGE }, 'POST');
    expect(signed_in.json.caller.actor).toBe('session:session-merchant-a');
    expect((await ask(stage, setMeUp.path, SIGNED_IN, 'POST')).status).toBe(403);
  });

  it('is no key and no session; a key is no set-up token', async () => {
    const stage = stageOf();
    for (const path of [LIST, readMe.path]) {
      expect((await ask(stage, path, bearer(SETUP_TOKEN))).status).toBe(401);
    }
    expect((await ask(stage, setMeUp.path, bearer(TEST_KEY), 'POST')).status).toBe(403);
    for (const unknown of [bearer(`${SETUP_TOKEN}x`), bearer(UNKNOWN_KEY), {}]) {
      expect((await ask(stage, setMeUp.path, unknown, 'POST')).status).toBe(401);
    }
  });

  it('guesses run out with the bad keys of the address', async () => {
    const stage = stageOf();
    for (let at = 0; at < 60; at += 1) {
      expect((await ask(stage, setMeUp.path, bearer(`svc_setup_${at}`), 'POST')).status).toBe(401);
    }
    expect((await ask(stage, setMeUp.path, bearer('svc_setup_y'), 'POST')).status).toBe(429);
  });
});
