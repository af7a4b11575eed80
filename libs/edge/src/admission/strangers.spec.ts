import {
  allRoutes,
  newId,
  openApiDocument,
  prefixedIds,
  route,
  uuidIds,
  type RequestContext,
  type Route,
} from '@tender/contracts';
import { MODES, type Mode } from '@tender/kernel';
import {
  ADMIN_TOKEN,
  bearer,
  EdgeStage,
  type EdgeStageOptions,
  LIVE_KEY,
  OTHER_KEY,
  TEST_KEY,
  UNKNOWN_KEY,
} from '../testing/edge-stage';

const planIds = prefixedIds('plan', 'first id');
const own = {
  context: 'payments',
  limit: 'other',
  idempotent: false,
  answers: { 200: null },
  refusals: [],
  summary: 'A route of this spec',
  tag: 'Plans',
} as const;
const PLAN = '/api/v1/made_up_plans/{id}';
const renamePlan = route({
  ...own,
  id: 'renamePlan',
  method: 'PATCH',
  path: PLAN,
  auth: 'key',
  objects: { id: planIds },
});
const readMe = route({ ...own, id: 'readMe', method: 'GET', path: '/api/v1/me', auth: 'session' });
const renameMe = route({ ...own, id: 'renameMe', method: 'PATCH', path: '/api/v1/me', auth: 'session' });
const subscribe = route({
  ...own,
  id: 'subscribe',
  method: 'POST',
  path: `${PLAN}/subscribe`,
  auth: 'key_or_nobody',
  idempotent: true,
  objects: { id: planIds },
});
const readEntry = route({
  ...own,
  id: 'readEntry',
  method: 'GET',
  path: `${PLAN}/entries/{entry_id}`,
  auth: 'public',
  limit: 'public',
  objects: { id: planIds, entry_id: uuidIds },
});
const routes: readonly Route[] = [renamePlan, readMe, renameMe, subscribe, readEntry];

let stage: EdgeStage;
const freshStage = (options: EdgeStageOptions = {}) => () => {
  stage = new EdgeStage({ routes, ...options });
};
/** How many requests reached a handler meanwhile. */
const callsDuring = async (work: () => Promise<unknown>) => {
  const before = stage.calls;
  await work();
  return stage.calls - before;
};

async function send({ method, path }: Route, headers: object = {}, ids: object = {}) {
  const values = { id: 'x', ...ids } as Record<string, string>;
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x');
  const answer = await stage.server.inject({ method, url, headers: { ...headers } });
  const json = JSON.parse(answer.body) as { code?: string; error?: string; caller: RequestContext };
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, json };
}

const bytes = Buffer.alloc(16, 7);
const plan = (mode: Mode) => newId(planIds, mode, bytes);
const entry = (mode: Mode) => newId(uuidIds, mode, bytes);
const status = async (...sent: Parameters<typeof send>) => (await send(...sent)).status;

describe('strangers', () => {
  beforeAll(freshStage({ config: { rate_limits: 'off' } }));
  const guarded = [...allRoutes, ...routes].filter(
    ({ auth }) => auth === 'key' || auth === 'session' || auth === 'admin',
  );

  test.each(guarded.map((one) => [one.method, one.path, one] as const))(
    '%s %s lets nobody in without a credential',
    async (_, __, one) => {
      for (const headers of [{}, bearer(UNKNOWN_KEY), { authorization: 'Basic eDp5' }]) {
        const { status: refused, json } = await send(one, headers);
        expect([refused, json.code]).toEqual([401, 'authentication_failed']);
      }
      expect(stage.calls).toBe(0);
    },
  );
});

describe('a session', () => {
  beforeAll(freshStage());
  test('is none of the credentials that there are', async () => {
    for (const one of [readMe, renameMe]) {
      for (const key of [TEST_KEY, LIVE_KEY, ADMIN_TOKEN]) {
        const { status: refused, json } = await send(one, bearer(key));
        expect([refused, json.code]).toEqual([401, 'authentication_failed']);
        expect(json.error).toContain('session');
      }
      expect(await status(one, { cookie: 'svc_session=guessed' })).toBe(401);
    }
    expect([stage.calls, stage.looked_up, stage.used]).toEqual([0, [], []]);
  });

  test('that is missing makes no key a bad one', async () => {
    for (let at = 0; at < 70; at += 1) expect(await status(readMe, bearer(TEST_KEY))).toBe(401);
    expect(await status(renamePlan, bearer(UNKNOWN_KEY), { id: plan('test') })).toBe(401);
  });
});

describe('PATCH', () => {
  beforeAll(freshStage());
  test('reaches its handler with its body', async () => {
    const { statusCode, body } = await stage.server.inject({
      method: 'PATCH',
      url: `/api/v1/made_up_plans/${plan('test')}`,
      headers: bearer(TEST_KEY),
      payload: { name: 'Gold' },
    });
    expect([statusCode, JSON.parse(body).body]).toEqual([200, { name: 'Gold' }]);
  });

  test('is what the path takes', async () => {
    const url = `/api/v1/made_up_plans/${plan('test')}`;
    const { statusCode, headers } = await stage.server.inject({ method: 'PUT', url });
    expect([statusCode, headers.allow]).toEqual([405, 'PATCH']);
  });
});

describe('a key or nobody', () => {
  beforeAll(freshStage());
  test.each(MODES)('nobody is a public caller in the mode of the object, which is %s', async (mode) => {
    const { status: let_in, headers, json } = await send(subscribe, {}, { id: plan(mode) });
    expect([let_in, headers['x-svc-mode'], headers['x-ratelimit-limit']]).toEqual([200, mode, '600']);
    expect(json.caller).toMatchObject({ merchant_id: '', mode, asker: { kind: 'public' } });
  });

  test('a good key counts as the merchant', async () => {
    const { headers, json } = await send(subscribe, bearer(LIVE_KEY), { id: plan('live') });
    expect([headers['x-svc-mode'], headers['x-ratelimit-limit']]).toEqual(['live', '100']);
    expect(json.caller).toMatchObject({ merchant_id: 'merchant-a', asker: { kind: 'key' } });
    const other = await send(subscribe, bearer(TEST_KEY), { id: plan('test') });
    expect(other.headers['x-ratelimit-remaining']).toBe('98');
  });

  test.each([
    ['of nobody', bearer(UNKNOWN_KEY)],
    ['that is the operator’s token', bearer(ADMIN_TOKEN)],
    ['that is none', { authorization: 'Bearer x' }],
    ['of another scheme', { authorization: 'Basic eDp5' }],
    ['that is empty', { authorization: '' }],
  ])('a key %s is refused, and never taken for nobody', async (_, headers) => {
    const calls = await callsDuring(async () => {
      const { status: refused, json } = await send(subscribe, headers, { id: plan('test') });
      expect([refused, json.code]).toEqual([401, 'authentication_failed']);
    });
    expect(calls).toBe(0);
  });

  test('an object of the other mode is 404 for a key, as one that says no mode is for anybody', async () => {
    const calls = await callsDuring(async () => {
      const refused = [
        await send(subscribe, bearer(TEST_KEY), { id: plan('live') }),
        await send(subscribe, bearer(LIVE_KEY), { id: plan('test') }),
        await send(subscribe, {}, { id: `plan_${'1'.repeat(22)}` }),
      ];
      expect(refused.map((answer) => answer.status)).toEqual([404, 404, 404]);
      expect(new Set(refused.map(({ text }) => text)).size).toBe(1);
    });
    expect(calls).toBe(0);
  });

  test('an Idempotency-Key is the merchant’s, or the object’s', async () => {
    const key = { 'idempotency-key': 'k1' };
    const [mine, nobodys, others] = [
      await send(subscribe, { ...bearer(TEST_KEY), ...key }, { id: plan('test') }),
      await send(subscribe, key, { id: plan('test') }),
      await send(subscribe, { ...bearer(OTHER_KEY), ...key }, { id: plan('test') }),
    ];
    const ids = [mine, nobodys, others].map(({ json }) => json.caller.command_id);
    expect(new Set(ids).size).toBe(3);
    const again = await send(subscribe, key, { id: plan('test') });
    expect([again.headers['idempotency-replayed'], again.text]).toEqual(['true', nobodys?.text]);
  });

  // Last: it has a stage of its own.
  test('guesses without a key run out, and use up nothing of a merchant', async () => {
    freshStage({ handlers: { subscribe: (_, reply) => reply.status(404).send({}) } })();
    let refused = 0;
    for (let at = 0; at < 610; at += 1) {
      const id = `plan_${String(at).padStart(22, '0')}`;
      if ((await status(subscribe, {}, { id })) === 429) refused += 1;
    }
    expect(refused).toBe(10);
    const { headers } = await send(subscribe, bearer(OTHER_KEY), { id: plan('test') });
    expect(headers['x-ratelimit-remaining']).toBe('99');
  });
});

describe('two objects in a path', () => {
  beforeAll(freshStage());
  test.each(MODES)('of one mode are there: %s', async (mode) => {
    const ids = { id: plan(mode), entry_id: entry(mode) };
    const { status: found, json } = await send(readEntry, {}, ids);
    expect([found, json.caller.mode]).toEqual([200, mode]);
  });

  test.each([
    ['one of each mode', plan('test'), entry('live')],
    ['one of each mode, the other way', plan('live'), entry('test')],
    ['a second one that says no mode', plan('test'), '00010203-0405-4607-8809-0a0b0c0d0e0f'],
    ['a first one that says no mode', 'plan_1', entry('test')],
    ['the two exchanged', entry('test'), plan('test')],
  ])('%s: 404', async (_, id, entry_id) => {
    const calls = await callsDuring(async () => {
      expect(await status(readEntry, {}, { id, entry_id })).toBe(404);
    });
    expect(calls).toBe(0);
  });

  test('a stranger has a bucket for each two', async () => {
    const remaining = async (ids: object) =>
      (await send(readEntry, {}, ids)).headers['x-ratelimit-remaining'];
    const both = { id: plan('test'), entry_id: entry('test') };
    const other = { ...both, entry_id: newId(uuidIds, 'test', Buffer.alloc(16, 8)) };
    const left = Number(await remaining(both));
    expect(await remaining(both)).toBe(String(left - 1));
    expect(await remaining(other)).toBe('599');
  });
});

test('the documents say who is let in', () => {
  const document = openApiDocument(routes, '/') as unknown as {
    paths: Record<string, Record<string, { security: object[]; responses: object }>>;
    components: { securitySchemes: object };
  };
  expect(document.paths['/api/v1/me']?.patch?.security).toEqual([{ session: [] }]);
  expect(document.paths[subscribe.path]?.post?.security).toEqual([{ apiKey: [] }, {}]);
  expect(Object.keys(document.paths[subscribe.path]?.post?.responses ?? {})).toContain('401');
  expect(document.components.securitySchemes).toHaveProperty('session');
  const product = openApiDocument(allRoutes, '/') as unknown as typeof document;
  expect(product.components.securitySchemes).not.toHaveProperty('session');
});
