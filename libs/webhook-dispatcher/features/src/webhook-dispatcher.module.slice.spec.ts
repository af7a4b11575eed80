import { Global, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { webhookRoutes } from '@tender/contracts';
import { routerPath, RUNTIME } from '@tender/http';
import { AttemptsByHand } from './attempts-by-hand/attempts-by-hand';
import { LEASE_OWNER_HERE, Dispatcher } from './testing/dispatcher';
import { Receiver } from './testing/receiver';
import { ATTEMPTS_BY_HAND, LEASE_OWNER, WEBHOOK_DISPATCHER } from './webhook-dispatcher';
import { WebhookDispatcherModule } from './webhook-dispatcher.module';

let dispatcher: Dispatcher;
let receiver: Receiver;
let app: NestFastifyApplication;

beforeAll(async () => {
  [dispatcher, receiver] = await Promise.all([Dispatcher.start(), Receiver.start()]);

  const ports = [
    { provide: RUNTIME, useValue: dispatcher.runtime },
    { provide: WEBHOOK_DISPATCHER, useValue: dispatcher.leading },
    { provide: LEASE_OWNER, useValue: LEASE_OWNER_HERE },
    { provide: ATTEMPTS_BY_HAND, useValue: new AttemptsByHand() },
  ];
  @Global()
  @Module({ providers: ports, exports: ports })
  class Ports {}
  @Module({ imports: [Ports, WebhookDispatcherModule] })
  class Program {}

  app = await NestFactory.create<NestFastifyApplication>(Program, new FastifyAdapter(), {
    logger: false,
  });
  const server = app.getHttpAdapter().getInstance();
  server.decorateRequest('tender');
  server.addHook('onRequest', async (request) => {
    request.tender = dispatcher.caller('m1');
  });
  await app.init();
  await server.ready();
});
afterAll(async () => {
  await app.close();
  await dispatcher.stop();
  await receiver.stop();
  await Dispatcher.stopServer();
});

test('every route of the contract is served', () => {
  const server = app.getHttpAdapter().getInstance();
  const missing = webhookRoutes.filter(
    ({ method, path }) => !server.hasRoute({ method, url: routerPath(path) }),
  );
  expect(missing).toEqual([]);
});

test('configure, test, list and events over HTTP', async () => {
  const configured = await app.inject({
    method: 'PUT',
    url: '/api/v1/merchants/me/webhook',
    payload: { webhook_url: receiver.url },
  });
  expect(configured.statusCode).toBe(200);
  expect(configured.json()).toEqual({
    success: true,
    webhook_url: receiver.url,
    webhook_secret: expect.stringMatching(/^whsec_/),
    message: expect.any(String),
  });
  const tried = await app.inject({ method: 'POST', url: '/api/v1/merchants/me/webhook/test' });
  expect([tried.statusCode, tried.json().success]).toEqual([200, true]);

  await dispatcher.plan(dispatcher.paymentEvent('m1', 'pay_test_1'));
  await dispatcher.sender.idle();
  const events = await app.inject({ method: 'GET', url: '/api/v1/events' });
  expect(events.headers['content-type']).toBe('application/json; charset=utf-8');
  const [, sent] = receiver.received;
  expect(events.body).toBe(
    `{"data":[{"cursor":"1","event":${sent?.body}}],"next_cursor":"1","has_more":false}`,
  );
  const list = await app.inject({ method: 'GET', url: '/api/v1/webhooks' });
  expect([list.headers['x-total-count'], list.json().length]).toEqual(['2', 2]);
});
