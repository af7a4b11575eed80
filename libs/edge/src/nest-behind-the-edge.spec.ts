import { Body, Controller, Get, HttpException, Param, Res } from '@nestjs/common';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import {
  allRoutes,
  createPayment,
  getPayment,
  getPaymentStatus,
  readPaymentPage,
  type CreatePaymentBody,
  type RequestContext,
} from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { Caller, ErrorFilter, notFound, Serves, tellPosition } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { mountEdge } from './mount-edge';
import { edgeServerOptions } from './server-options';
import {
  bearer,
  edgeOptionsOf,
  EdgeStage,
  OTHER_KEY,
  paymentId,
  TEST_KEY,
} from './testing/edge-stage';

@Controller()
class PaymentsHttp {
  @Serves(createPayment)
  create(
    @Caller() caller: RequestContext,
    @Body() body: CreatePaymentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    tellPosition(reply, { position: '7', repeated: false });
    return { merchant_id: caller.merchant_id, body };
  }

  @Serves(getPayment)
  get(@Caller() caller: RequestContext, @Param('id') id: string) {
    if (id === 'pay_test_away') throw new Unavailable('a part');
    if (id === 'pay_test_bug') throw new Error('secret in a message');
    if (id === 'pay_test_nest') throw new HttpException('teapot', 418);
    if (id !== 'pay_test_1') throw notFound();
    return { min_position: caller.min_position };
  }

  @Serves(getPaymentStatus)
  status(@Param('id') id: string) {
    return { id };
  }

  @Serves(readPaymentPage)
  page() {
    throw new Unavailable('a part');
  }

  @Get('/forgotten')
  forgotten() {
    return 'secret';
  }
}
class TestModule {}
Reflect.defineMetadata('controllers', [PaymentsHttp], TestModule);

describe('Nest controllers behind the edge', () => {
  const stage = new EdgeStage();
  let app: NestFastifyApplication;

  beforeAll(async () => {
    const adapter = new FastifyAdapter(edgeServerOptions());
    app = await NestFactory.create<NestFastifyApplication>(TestModule, adapter, {
      logger: false,
      bodyParser: false,
    });
    app.useGlobalFilters(new ErrorFilter({ log: edgeOptionsOf(stage).runtime.log }));
    mountEdge(adapter.getInstance(), {
      ...{ ...edgeOptionsOf(stage), routes: allRoutes },
      error_page: ({ status }) => ({ html: `<h1>${status}`, policy: "default-src 'none'" }),
    });
    await app.init();
    await adapter.getInstance().ready();
  });
  afterAll(() => app.close());

  const ask = (method: 'GET' | 'POST' | 'HEAD' | 'DELETE', url: string, payload?: object, headers = {}) =>
    app.inject({
      method,
      url,
      headers: { ...bearer(TEST_KEY), ...headers },
      ...(payload ? { payload } : {}),
    });

  it('a handler gets the caller and a clean body', async () => {
    const { statusCode, body, headers } = await ask('POST', '/api/v1/payments', { amount: 10, currency: null, x: 1 });
    expect([statusCode, JSON.parse(body)]).toEqual([200, { merchant_id: 'merchant-a', body: { amount: 10 } }]);
    expect(headers).toMatchObject({ 'x-svc-ignored-fields': 'x', 'x-ratelimit-limit': '50', 'x-svc-mode': 'test' });
    expect(headers['x-tender-position']).toBeUndefined();
  });

  it('a write’s position reaches the same merchant’s next read, for a minute (P4)', async () => {
    const positionOf = async (key: string) =>
      (await app.inject({ method: 'GET', url: '/api/v1/payments/pay_test_1', headers: bearer(key) })).json<{
        min_position: string | null;
      }>().min_position;
    await ask('POST', '/api/v1/payments', { amount: 10 });
    expect(await positionOf(TEST_KEY)).toBe('7');
    expect(await positionOf(OTHER_KEY)).toBeNull();
    stage.clock.ms += 60_000;
    expect(await positionOf(TEST_KEY)).toBeNull();
  });

  it.each([
    ['POST', '/api/v1/payments', { amount: 0 }, 400, 'invalid_parameter'],
    ['POST', '/api/v1/payments', undefined, 400, 'invalid_parameter'],
    ['GET', '/api/v1/payments/pay_test_2', undefined, 404, 'not_found'],
    ['GET', '/api/v1/payments/pay_test_away', undefined, 503, 'service_unavailable'],
    ['GET', '/api/v1/payments/pay_test_bug', undefined, 500, 'internal_error'],
    ['GET', '/api/v1/payments/pay_test_nest', undefined, 500, 'internal_error'],
    ['GET', '/forgotten', undefined, 404, 'not_found'],
    ['GET', '/unknown', undefined, 404, 'not_found'],
    ['DELETE', '/api/v1/payments', undefined, 405, 'method_not_allowed'],
    ['GET', '/api/v1/payments/%zz', undefined, 400, 'invalid_parameter'],
    ['GET', '/api/v1/payments/a%0d%0ab', undefined, 400, 'invalid_parameter'],
  ] as const)('%s %s %j is %i %s', async (method, url, payload, status, code) => {
    const { statusCode, body, headers } = await ask(method, url, payload);
    expect([statusCode, JSON.parse(body)]).toEqual([
      status,
      {
        ...{ error: expect.any(String), code, details: expect.any(Object) },
        correlation_id: headers['x-correlation-id'],
      },
    ]);
    expect(body).not.toContain('secret');
    expect(headers['x-correlation-id']).toBeDefined();
    expect(headers['x-ratelimit-limit']).toBeDefined();
    if (status === 503) expect(headers['retry-after']).toBe('2');
  });

  it('a browser gets what a handler of a page throws as a page', async () => {
    const { statusCode, body, headers } = await ask('GET', `/p/${paymentId(1)}`, undefined, { accept: 'text/html' });
    expect([statusCode, body, headers['content-type']]).toEqual([503, '<h1>503', 'text/html; charset=utf-8']);
  });

  it('public routes need no key, HEAD is GET without a body', async () => {
    expect((await app.inject({ method: 'GET', url: `/api/v1/payments/${paymentId(1, 'live')}/status` })).headers).toMatchObject({
      'x-svc-mode': 'live',
    });
    const { statusCode, body } = await ask('HEAD', '/api/v1/payments/pay_test_1');
    expect([statusCode, body]).toEqual([200, '']);
  });

  it('an idempotent repeat does not reach the handler’s headers or the caller', async () => {
    const key = { 'idempotency-key': 'k' };
    const first = await ask('POST', '/api/v1/payments', { amount: 10 }, key);
    const again = await ask('POST', '/api/v1/payments', { amount: 10 }, key);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
  });
});
