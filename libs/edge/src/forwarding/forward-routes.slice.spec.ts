import { hmacSeal, serviceClient, type ServiceClient } from '@tender/adapter-internal-http';
import { realDelays } from '@tender/adapter-postgres';
import { allRoutes, createPayment, getPayment, listPayments } from '@tender/contracts';
import { INTERNAL_HEADER, noTelemetry, Unavailable } from '@tender/eventing';
import { mountService, notFound, routerPath, serviceServerOptions, tellPosition } from '@tender/http';
import fastify, { type FastifyInstance } from 'fastify';
import { mountEdge } from '../mount-edge';
import { edgeServerOptions } from '../server-options';
import { bearer, edgeOptionsOf, EdgeStage, TEST_KEY } from '../testing/edge-stage';
import { forwardRoutes } from './forward-routes';

const stage = new EdgeStage();
const seal = hmacSeal({ secret: 'a secret of all processes, long enough', clock: stage.clock });
let service: FastifyInstance;
let gateway: FastifyInstance;
let client: ServiceClient;
let url: string;
let calls: number;

beforeAll(async () => {
  const { log } = edgeOptionsOf(stage).runtime;
  service = fastify(serviceServerOptions());
  mountService(service, {
    routes: allRoutes.filter(({ context }) => context === 'payments'),
    seal,
    log,
    telemetry: noTelemetry,
    delays: { after: () => () => undefined },
    answerCall: async (name, input) => ({ name, input }),
    standsBy: (name) => name === 'payments.of-the-leader',
    ready: async () => true,
  });
  service.post(routerPath(createPayment.path), (request, reply) => {
    calls += 1;
    tellPosition(reply, { position: '41', repeated: false });
    return reply.status(201).send({ body: request.body, caller: request.tender });
  });
  service.get(routerPath(listPayments.path), (request) => ({ query: request.query }));
  service.get<{ Params: { id: string } }>(routerPath(getPayment.path), (request) => {
    const { id } = request.params;
    if (id === 'pay_test_none') throw notFound();
    if (id === 'pay_test_away') throw new Unavailable('the log');
    return { min_position: request.tender.min_position };
  });
  service.get('/forgotten', () => 'secret');
  url = await service.listen({ port: 0, host: '127.0.0.1' });
  client = serviceClient({ service: 'payments', urls: [url], seal, delays: realDelays });
  gateway = fastify(edgeServerOptions());
  mountEdge(gateway, edgeOptionsOf(stage));
  forwardRoutes(gateway, {
    routes: allRoutes,
    own: new Set(['gateway', 'accounts', 'sandbox']),
    log,
    forward: (context, request) => {
      if (context !== 'payments') throw new Unavailable(context);
      return client.send({ ...request, deadline_ms: 120_000 });
    },
  });
  await gateway.ready();
});
beforeEach(() => (calls = 0));
afterAll(async () => {
  await client.close();
  await gateway.close();
  await service.close();
});

const ask = (method: 'GET' | 'POST', path: string, payload?: object, headers = {}) =>
  gateway.inject({
    method,
    url: path,
    headers: { ...bearer(TEST_KEY), ...headers },
    ...(payload ? { payload } : {}),
  });

test('a service gets the caller, a clean body and a clean query', async () => {
  const made = await ask('POST', '/api/v1/payments', { amount: 10, currency: null, x: 1 });
  expect(made.statusCode).toBe(201);
  expect(made.headers['x-svc-ignored-fields']).toBe('x');
  expect(made.headers['x-tender-position']).toBeUndefined();
  expect(made.json()).toMatchObject({
    body: { amount: 10 },
    caller: {
      merchant_id: 'merchant-a',
      mode: 'test',
      correlation_id: made.headers['x-correlation-id'],
    },
  });
  const listed = await ask('GET', '/api/v1/payments?limit=5&offset=1');
  expect(listed.json()).toMatchObject({ query: { limit: 5, offset: 1 } });
});

test('what was written through this gateway is what its reader must see', async () => {
  await ask('POST', '/api/v1/payments', { amount: 10 });
  expect((await ask('GET', '/api/v1/payments/pay_test_1')).json()).toEqual({ min_position: '41' });
});

test('an answer of a key is kept by the gateway, byte for byte', async () => {
  const headers = { 'idempotency-key': 'forwarded-1' };
  const first = await ask('POST', '/api/v1/payments', { amount: 3 }, headers);
  const again = await ask('POST', '/api/v1/payments', { amount: 3 }, headers);
  expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body]);
  expect(again.headers['idempotency-replayed']).toBe('true');
  expect(calls).toBe(1);
});

test('refusals and outages of a service reach the client in the one shape', async () => {
  const none = await ask('GET', '/api/v1/payments/pay_test_none');
  expect([none.statusCode, none.json().code]).toEqual([404, 'not_found']);
  const away = await ask('GET', '/api/v1/payments/pay_test_away');
  expect([away.statusCode, away.json().code]).toEqual([503, 'service_unavailable']);
  expect(away.headers['retry-after']).toBeDefined();
  const elsewhere = await ask('GET', '/api/v1/webhooks');
  expect([elsewhere.statusCode, elsewhere.json().code]).toEqual([503, 'service_unavailable']);
  for (const answer of [none, away, elsewhere]) {
    expect(answer.json().correlation_id).toBe(answer.headers['x-correlation-id']);
  }
});

test('a service hears the gateway only', async () => {
  const path = '/api/v1/payments/pay_test_1';
  const request = { method: 'GET', url: path, body: null };
  const strangers = [
    {},
    bearer(TEST_KEY),
    { [INTERNAL_HEADER]: 'x.y' },
    { [INTERNAL_HEADER]: seal.seal({ ...request, url: '/api/v1/payments' }, {}) },
  ];
  for (const headers of strangers) {
    const answer = await service.inject({ method: 'GET', url: path, headers });
    expect([answer.statusCode, answer.json().code]).toEqual([401, 'authentication_failed']);
  }
  const body = { amount: 1 };
  const sealed = seal.seal({ method: 'POST', url: '/api/v1/payments', body: null }, {});
  const swapped = await service.inject({
    method: 'POST',
    url: '/api/v1/payments',
    headers: { [INTERNAL_HEADER]: sealed },
    payload: body,
  });
  expect([swapped.statusCode, calls]).toEqual([401, 0]);
});

test('a question is answered under its own seal only; one for the leader not by a replica that stands by', async () => {
  const askService = async (name: string, said: object) => {
    const path = `/internal/calls/${name}`;
    const payload = Buffer.from('{"id":1}');
    const header = seal.seal({ method: 'POST', url: path, body: payload }, said);
    const headers = { [INTERNAL_HEADER]: header, 'content-type': 'application/json' };
    return service.inject({ method: 'POST', url: path, headers, payload });
  };
  const answer = await askService('payments.describe', { call: 'payments.describe' });
  expect(answer.json()).toEqual({ name: 'payments.describe', input: { id: 1 } });
  expect((await askService('payments.describe', { merchant_id: 'm' })).statusCode).toBe(401);
  const leader = 'payments.of-the-leader';
  expect((await askService(leader, { call: leader })).statusCode).toBe(421);
});

test('a query as long as the gateway lets in reaches the service', async () => {
  const answer = await ask('GET', `/api/v1/payments?limit=3&x=${'a'.repeat(15_000)}`);
  expect([answer.statusCode, answer.json()]).toEqual([200, { query: { limit: 3 } }]);
});
