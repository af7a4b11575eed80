import { allRoutes, openApiDocument } from '@tender/contracts';
import { ADMIN_TOKEN, bearer, LIVE_KEY, SETUP_TOKEN, TEST_KEY, UNKNOWN_KEY } from '../testing/edge-stage';
import { plan, readMe, renameMe, renamePlan, RouteStage, routes, subscribe } from '../testing/route-stage';

const stage = new RouteStage();

describe('strangers', () => {
  beforeAll(() => stage.begin({ config: { rate_limits: 'off' } }));
  const guarded = [...allRoutes, ...routes].filter(
    ({ auth }) => ['key', 'session', 'setup', 'admin'].includes(auth),
  );

  test.each(guarded.map((one) => [one.method, one.path, one] as const))(
    '%s %s lets no request in without a credential',
    async (_, __, one) => {
      for (const headers of [{}, bearer(UNKNOWN_KEY), { authorization: 'Basic eDp5' }]) {
        const { status: refused, json } = await stage.send(one, headers);
        expect([refused, json.code]).toEqual([401, 'authentication_failed']);
      }
      expect(stage.edge.calls).toBe(0);
    },
  );
});

describe('a route for sessions', () => {
  beforeAll(() => stage.begin());
  test.each([readMe, renameMe])('refuses a good key, which may not do this, and knows no other (S33): %#', async (one) => {
    for (const key of [TEST_KEY, LIVE_KEY]) {
      const { status: refused, json } = await stage.send(one, bearer(key));
      expect([refused, json.code]).toEqual([403, 'forbidden']);
      expect(json.error).toContain('session');
    }
    for (const other of [UNKNOWN_KEY, ADMIN_TOKEN, SETUP_TOKEN]) {
      expect(await stage.status(one, bearer(other))).toBe(401);
    }
    expect([stage.edge.calls, stage.edge.used]).toEqual([0, []]);
  });

  test('makes no good key a bad one', async () => {
    for (let at = 0; at < 70; at += 1) {
      expect(await stage.status(readMe, bearer(TEST_KEY))).toBe(403);
    }
    expect(await stage.status(renamePlan, bearer(UNKNOWN_KEY), { id: plan('test') })).toBe(401);
  });
});

describe('PATCH', () => {
  beforeAll(() => stage.begin());
  test('reaches its handler with its body', async () => {
    const { statusCode, body } = await stage.edge.server.inject({
      method: 'PATCH',
      url: `/api/v1/made_up_plans/${plan('test')}`,
      headers: bearer(TEST_KEY),
      payload: { name: 'Gold' },
    });
    expect([statusCode, JSON.parse(body).body]).toEqual([200, { name: 'Gold' }]);
  });

  test('is what the path takes', async () => {
    const url = `/api/v1/made_up_plans/${plan('test')}`;
    const { statusCode, headers } = await stage.edge.server.inject({ method: 'PUT', url });
    expect([statusCode, headers.allow]).toEqual([405, 'PATCH']);
  });
});

describe('a route that reads no body', () => {
  beforeAll(() => stage.begin());
  const subscribing = (payload?: string) =>
    stage.edge.server.inject({
      method: 'POST',
      url: `/api/v1/made_up_plans/${plan('test')}/subscribe`,
      headers: { ...bearer(TEST_KEY), ...(payload ? { 'content-type': 'application/json' } : {}) },
      ...(payload ? { payload } : {}),
    });

  test('takes none, and names what it ignores', async () => {
    expect((await subscribing()).statusCode).toBe(200);
    const { statusCode, headers } = await subscribing('{"foo":1}');
    expect([statusCode, headers['x-svc-ignored-fields']]).toEqual([200, 'foo']);
  });

  test.each(['[]', '"x"', 'null', '1'])('refuses %s', async (payload) => {
    const { statusCode, body } = await subscribing(payload);
    expect([statusCode, JSON.parse(body).code]).toEqual([400, 'invalid_parameter']);
  });
});

test('the documents say who is let in', () => {
  const document = openApiDocument(routes, '/') as unknown as {
    paths: Record<string, Record<string, { security: object[]; responses: object }>>;
    components: { securitySchemes: object };
  };
  expect(document.paths['/api/v1/me']?.patch?.security).toEqual([{ session: [] }]);
  const { security, responses } = document.paths[subscribe.path]?.post ?? {};
  expect(security).toEqual([{ apiKey: [] }, { session: [] }, {}]);
  expect(Object.keys(responses ?? {})).toContain('401');
  expect(document.components.securitySchemes).toHaveProperty('session');
});
