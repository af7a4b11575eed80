import { allRoutes, type Route } from '@tender/contracts';
import { routerPath } from '@tender/http';
import { APPROVAL_URL, bearer, EdgeStage, paymentId, SETUP_TOKEN, TEST_KEY } from '../testing/edge-stage';

const stage = new EdgeStage({ config: { rate_limits: 'off' } });
const routes: readonly Route[] = allRoutes;
const forApproval = routes.filter(({ approval }) => approval);
const urlOf = ({ path }: Route): string => path.replaceAll(/\{\w+\}/g, paymentId(1));

const preflight = (route: Route, origin?: string, method: string = route.method) =>
  stage.server.inject({
    method: 'OPTIONS',
    url: urlOf(route),
    headers: { ...(origin ? { origin } : {}), 'access-control-request-method': method },
  });

/** Near the real one, and not it. */
const OTHERS = [
  'https://evil.example',
  'null',
  'http://approve.tender.test',
  'https://approve.tender.test:8443',
  'https://approve.tender.test.evil.example',
  'https://APPROVE.tender.test',
  'https://tender.test',
];

test('there are routes for the approval origin, and each takes no key', () => {
  expect(forApproval.length).toBeGreaterThan(0);
  expect(new Set(forApproval.map(({ auth }) => auth))).toEqual(new Set(['setup']));
});

describe.each(forApproval.map((route) => [route.id, route] as const))('%s', (_, route) => {
  it('S18: its preflight is answered for the approval origin, without a cookie', async () => {
    const { statusCode, headers, body } = await preflight(route, APPROVAL_URL);
    expect([statusCode, body]).toEqual([204, '']);
    expect(headers).toMatchObject({
      'access-control-allow-origin': APPROVAL_URL,
      'access-control-allow-methods': expect.stringContaining(route.method),
      'access-control-allow-headers': 'authorization, content-type',
      vary: 'Origin',
    });
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });

  it.each(OTHERS)('S18: not for %s, nor is its answer', async (origin) => {
    const refused = await preflight(route, origin);
    expect([refused.statusCode, refused.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    const headers = { origin, ...bearer(SETUP_TOKEN) };
    const answer = await stage.server.inject({ method: route.method, url: urlOf(route), headers });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(answer.headers).toMatchObject({ vary: 'Origin' });
  });

  it('S18: refusals can be read there, too', async () => {
    const headers = { origin: APPROVAL_URL, ...bearer('svc_setup_of_nobody') };
    const answer = await stage.server.inject({ method: route.method, url: urlOf(route), headers });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['access-control-allow-origin']).toBe(APPROVAL_URL);
    expect(answer.headers).not.toHaveProperty('access-control-allow-credentials');
  });
});

test('S18: no other route answers the approval origin', async () => {
  const paths = new Set(forApproval.map(({ path }) => routerPath(path)));
  for (const route of routes.filter(({ path }) => !paths.has(routerPath(path)))) {
    const { statusCode, headers } = await preflight(route, APPROVAL_URL);
    expect([route.id, statusCode, headers['access-control-allow-origin']]).toEqual([route.id, 405, undefined]);
    const asked = { origin: APPROVAL_URL, ...bearer(TEST_KEY) };
    const { method } = route;
    const answer = await stage.server.inject({ method, url: urlOf(route), headers: asked });
    expect([route.id, answer.headers['access-control-allow-origin']]).toEqual([route.id, undefined]);
  }
});

test('S18: OPTIONS that is no preflight, or of a method that the path has not, is refused as ever', async () => {
  const [route] = forApproval as [Route];
  const bare = await stage.server.inject({ method: 'OPTIONS', url: urlOf(route), headers: { origin: APPROVAL_URL } });
  expect(bare.statusCode).toBe(405);
  expect((await preflight(route, APPROVAL_URL, 'DELETE')).statusCode).toBe(405);
  expect((await preflight(route)).statusCode).toBe(405);
});
