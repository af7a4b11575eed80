import { allRoutes } from '@tender/contracts';
import { EdgeStage } from '../testing/edge-stage';

describe('what is not served (S10)', () => {
  const stage = new EdgeStage({ config: { rate_limits: 'off' } });

  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'TRACE', 'PROPFIND'] as const)(
    '%s on every path answers 405 with Allow unless it is declared',
    async (method) => {
      for (const path of new Set(allRoutes.map((route) => route.path))) {
        const declared = allRoutes
          .filter((route) => route.path === path)
          .map((route) => route.method as string);
        if (declared.includes(method) || (method === 'HEAD' && declared.includes('GET'))) continue;
        const url = path.replaceAll(/\{\w+\}/g, 'x1');
        const { statusCode, headers, body } = await stage.server.inject({ method: method as 'GET', url });
        expect([method, url, statusCode]).toEqual([method, url, 405]);
        expect(headers.allow?.toString().split(', ')).toEqual(expect.arrayContaining(declared));
        if (method !== 'HEAD') expect(JSON.parse(body)).toMatchObject({ code: 'method_not_allowed' });
      }
    },
  );

  it('X-HTTP-Method-Override changes nothing (105)', async () => {
    const { statusCode } = await stage.payments({ amount: 1 }, { 'x-http-method-override': 'DELETE' });
    expect(statusCode).toBe(200);
  });

  it('a handler that no contract names is not reachable', async () => {
    const bare = new EdgeStage();
    bare.server.get('/forgotten', () => 'secret');
    const { statusCode, body } = await bare.get('/forgotten');
    expect(statusCode).toBe(404);
    expect(body).not.toContain('secret');
  });
});

describe('what a handler’s failure shows (S60)', () => {
  it('is a 500 without a word of it, in the answer and in the log', async () => {
    const secret = 'select * from secrets where key = svc_live_x';
    const stage = new EdgeStage({
      handlers: {
        getPayment: () => {
          throw new Error(secret);
        },
      },
    });
    const { statusCode, body, headers } = await stage.get('/api/v1/payments/pay_test_1');
    expect(statusCode).toBe(500);
    expect(JSON.parse(body)).toMatchObject({ code: 'internal_error', details: {} });
    expect(body + JSON.stringify(headers) + JSON.stringify(stage.logged)).not.toContain('secrets');
    expect(stage.logged).toEqual([
      expect.objectContaining({ correlation_id: headers['x-correlation-id'], fault: 'Error' }),
    ]);
  });
});
