import { allRoutes } from '@tender/contracts';
import {
  bearer,
  EdgeStage,
  LIVE_KEY,
  paymentId,
  TEST_KEY,
  UNKNOWN_KEY,
} from './testing/edge-stage';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe('what every answer carries (S17, S18)', () => {
  const stage = new EdgeStage();
  const json = { 'content-type': 'application/json' };
  const cases = {
    '200': () => stage.payments({ amount: 10 }),
    '400 of a field': () => stage.payments({ amount: -1 }),
    '400 of the JSON': () => stage.payments('{'),
    '401 without a key': () => stage.get('/api/v1/payments', {}),
    '401 of an unknown key': () => stage.get('/api/v1/payments', bearer(UNKNOWN_KEY)),
    '404 of an unknown path': () => stage.get('/nothing/here'),
    '404 of an impossible id': () => stage.get('/api/v1/payments/..%2Fx'),
    '405': () => stage.server.inject({ method: 'DELETE', url: '/api/v1/payments' }),
    '413': () => stage.payments(JSON.stringify({ amount: 1, description: 'x'.repeat(65_537) })),
    '415': () => stage.payments('{}', { 'content-type': 'text/plain' }),
    'a public status': () => stage.get(`/api/v1/payments/${paymentId(1, 'live')}/status`, {}),
    'a page': () => stage.get('/reference', {}),
    'a malformed path': () => stage.get('/api/v1/payments/%zz'),
    'a path parameter of 10 KB': () => stage.get(`/api/v1/payments/${'a'.repeat(10_000)}`),
    HEAD: () => stage.server.inject({ method: 'HEAD', url: '/api/v1/payments', headers: { ...json, ...bearer(TEST_KEY) } }),
  };

  it.each(Object.entries(cases))('%s', async (_, ask) => {
    const { headers, statusCode } = await ask();
    expect(statusCode).toBeLessThan(500);
    expect(headers['x-correlation-id']).toMatch(UUID);
    expect(headers['x-svc-mode']).toMatch(/^(test|live)$/);
    expect(headers['x-ratelimit-limit']).toMatch(/^\d+$/);
    expect(headers['x-ratelimit-remaining']).toMatch(/^\d+$/);
    expect(headers['x-ratelimit-reset']).toMatch(/^\d{10}$/);
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['strict-transport-security']).toMatch(/max-age=\d{8}/);
    expect(headers['x-powered-by']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
    expect(headers['x-tender-position']).toBeUndefined();
  });

  it('errors have one shape, everywhere', async () => {
    for (const [name, ask] of Object.entries(cases)) {
      const { statusCode, body, headers } = await ask();
      if (statusCode < 400) continue;
      expect([name, headers['content-type']]).toEqual([name, 'application/json; charset=utf-8']);
      const parsed = JSON.parse(body) as Record<string, unknown>;
      expect([name, Object.keys(parsed)]).toEqual([name, ['error', 'code', 'details', 'correlation_id']]);
      expect([name, parsed.correlation_id]).toEqual([name, headers['x-correlation-id']]);
      expect(typeof parsed.error).toBe('string');
      expect(parsed.details).toEqual(expect.any(Object));
    }
  });

  it('keeps a correlation id that is a UUID and replaces any other', async () => {
    const id = '7f6b1c52-3f0e-4a39-9d55-0a1b2c3d4e5f';
    const kept = await stage.get('/healthz', { 'x-correlation-id': id });
    const replaced = await stage.get('/healthz', { 'x-correlation-id': 'no-uuid\\n{"level":"info"}' });
    expect(kept.headers['x-correlation-id']).toBe(id);
    expect(replaced.headers['x-correlation-id']).toMatch(UUID);
  });

  it('X-Svc-Mode is the key’s mode, on public routes the object’s', async () => {
    const modeOf = async (url: string, headers = {}) => (await stage.get(url, headers)).headers['x-svc-mode'];
    expect(await modeOf('/api/v1/payments', bearer(LIVE_KEY))).toBe('live');
    expect(await modeOf('/api/v1/payments', bearer(TEST_KEY))).toBe('test');
    expect(await modeOf(`/api/v1/payments/${paymentId(1, 'live')}/status`)).toBe('live');
    expect(await modeOf('/api/v1/payments/pay_unknown/status')).toBe('test');
  });

  it('every route of the contract is mounted', () => {
    for (const route of allRoutes) {
      expect([route.id, stage.server.hasRoute({ method: route.method, url: route.path.replace(/\{(\w+)\}/g, ':$1') })])
        .toEqual([route.id, true]);
    }
  });
});
