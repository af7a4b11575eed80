import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { hmacSeal, serviceClient, type ServiceClient } from '@tender/adapter-internal-http';
import { realDelays } from '@tender/adapter-postgres';
import { paymentIds, route } from '@tender/contracts';
import { noTelemetry, type Delays } from '@tender/eventing';
import { mountService, notFound, routerPath, serviceServerOptions } from '@tender/http';
import fastify, { type FastifyInstance } from 'fastify';
import { Agent, request as send } from 'undici';
import { mountEdge } from '../mount-edge';
import { edgeServerOptions } from '../server-options';
import { edgeOptionsOf, EdgeStage, paymentId } from '../testing/edge-stage';
import { listen as listenByKey } from '../testing/route-stage';
import { forwardRoutes } from './forward-routes';

const listen = route({
  ...listenByKey,
  path: '/api/v1/payments/{id}/listen',
  auth: 'public',
  limit: 'status',
  objects: { id: paymentIds },
  refusals: ['not_found'],
});
const stage = new EdgeStage({ routes: [listen] });
const seal = hmacSeal({ secret: 'a secret of all processes, long enough', clock: stage.clock });

let service: FastifyInstance;
let gateway: FastifyInstance;
let client: ServiceClient;
let listeners: Agent;
let url: string;
let sources: Readable[];
/** What the last listener has heard before. */
let heard_before: string | undefined;
/** The service's timers, until the spec says that their time has come. */
const later = new Set<() => void>();
const delays: Delays = {
  after(_, work) {
    later.add(work);
    return () => later.delete(work);
  },
};

beforeAll(async () => {
  const { log } = edgeOptionsOf(stage).runtime;
  service = fastify(serviceServerOptions());
  mountService(service, {
    routes: [listen],
    seal,
    log,
    telemetry: noTelemetry,
    delays,
    answerCall: () => Promise.reject(new Error('no service asks')),
    standsBy: () => false,
    ready: async () => true,
  });
  service.get<{ Params: { id: string } }>(routerPath(listen.path), ({ params, tender }) => {
    heard_before = tender.last_event_id;
    if (params.id === paymentId('none')) throw notFound();
    const source = new Readable({ read: () => undefined });
    sources.push(source);
    return source;
  });
  const service_url = await service.listen({ port: 0, host: '127.0.0.1' });
  client = serviceClient({ service: 'payments', urls: [service_url], seal, delays: realDelays });
  gateway = fastify(edgeServerOptions());
  mountEdge(gateway, edgeOptionsOf(stage));
  forwardRoutes(gateway, {
    routes: [listen],
    own: new Set(),
    log,
    forward: (_, request) => client.send({ ...request, deadline_ms: 120_000 }),
  });
  await gateway.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(gateway.server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  sources = [];
  listeners = new Agent();
});
afterEach(() => listeners.destroy());
afterAll(async () => {
  await gateway.close();
  await client.close();
  await service.close();
});

const opened = (id = paymentId(1), headers = {}) =>
  send(`${url}/api/v1/payments/${id}/listen`, { dispatcher: listeners, headers });
const onlySource = (): Readable => {
  expect(sources).toHaveLength(1);
  return sources[0] as Readable;
};

test('events come as the service says them', async () => {
  const { statusCode, headers, body } = await opened();
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
    const heard = once(body, 'data');
    onlySource().push(text);
    expect(String((await heard)[0])).toBe(text);
  }
  const ended = once(body, 'end');
  onlySource().push(null);
  await ended;
});

test('the service makes the comments, and the gateway passes them on', async () => {
  const { body } = await opened();
  const said: string[] = [];
  body.on('data', (chunk: Buffer) => said.push(String(chunk)));
  stage.secondsPass();
  for (const work of later) work();
  await once(body, 'data');
  onlySource().push('data: 1\n\n');
  await once(body, 'data');
  expect(said.join('')).toBe(':\n\ndata: 1\n\n');
});

test('the service hears what a client has heard before, unless that is no id', async () => {
  await opened(paymentId(1), { 'last-event-id': '17' });
  expect(heard_before).toBe('17');
  await opened(paymentId(1), { 'last-event-id': 'not one' });
  expect(heard_before).toBeUndefined();
});

test('a client that leaves is not listened for any more', async () => {
  await opened();
  const closed = once(onlySource(), 'close');
  await listeners.destroy();
  await closed;
});

test('a service that dies ends what its clients listen to', async () => {
  const { body } = await opened();
  const heard = body.text();
  service.server.closeAllConnections();
  await expect(heard).rejects.toThrow();
});

test('a refusal is an answer like any other', async () => {
  const { statusCode, body } = await opened(paymentId('none'));
  expect([statusCode, await body.json()]).toMatchObject([404, { code: 'not_found' }]);
});

// Last: it is not there after it.
test('a service that stops in order ends it, too', async () => {
  const { body } = await opened();
  const heard = body.text();
  await service.close();
  expect(await heard).toBe('');
});
