import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { openApiDocument } from '@tender/contracts';
import { recordedTelemetry } from '@tender/eventing/testing';
import { Agent, request as send } from 'undici';
import { bearer, EdgeStage, TEST_KEY } from '../testing/edge-stage';
import { listen } from '../testing/route-stage';

const STREAMS_MAX = 6;
const recorded = recordedTelemetry();

let stage: EdgeStage;
let url: string;
let sources: Readable[];
/** What a listener waits for before its stream begins. */
let hold: Promise<void>;
let clients: Agent;

beforeAll(async () => {
  stage = new EdgeStage({
    routes: [listen],
    config: { requests_max: 1, streams_per_address: STREAMS_MAX },
    telemetry: recorded.telemetry,
    handlers: {
      listen: async () => {
        await hold;
        const source = new Readable({ read: () => undefined });
        sources.push(source);
        return source;
      },
    },
  });
  await stage.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(stage.server.server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  sources = [];
  hold = Promise.resolve();
  clients = new Agent();
});
afterEach(async () => {
  await clients.destroy();
  await Promise.all(sources.map((source) => source.destroyed || once(source, 'close')));
});
afterAll(() => stage.server.close());

const ask = (path: string, method: 'GET' | 'HEAD' = 'GET') =>
  send(url + path, { method, headers: bearer(TEST_KEY), dispatcher: clients });
const opened = () => ask(listen.path);

test('a client hears that it listens before there is anything to say, and then each event as it comes', async () => {
  const { statusCode, headers, body } = await opened();
  expect([statusCode, headers['content-type']]).toEqual([200, 'text/event-stream; charset=utf-8']);
  expect(headers).toMatchObject({ 'x-svc-mode': 'test', 'x-ratelimit-limit': '200' });
  const said: string[] = [];
  body.on('data', (chunk: Buffer) => said.push(String(chunk)));
  for (const text of ['data: 1\n\n', 'data: 2\n\n']) {
    sources[0]?.push(text);
    await once(body, 'data');
    expect(said.at(-1)).toBe(text);
  }
  sources[0]?.push(null);
  await once(body, 'end');
});

test('a stream holds its place until it has begun, and none from then on', async () => {
  let begin = (): void => undefined;
  hold = new Promise((resolve) => (begin = resolve));
  const { calls } = stage;
  const first = opened();
  while (stage.calls === calls) await new Promise(setImmediate);
  expect((await ask('/api/v1/payments')).statusCode).toBe(503);
  begin();
  expect((await first).statusCode).toBe(200);
  for (let more = 0; more < 3; more += 1) expect((await opened()).statusCode).toBe(200);
  expect((await ask('/api/v1/payments')).statusCode).toBe(200);
  expect(sources.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false]);
});

test('it is measured as the wait for its beginning', async () => {
  const before = recorded.of('tender_http_request_seconds').length;
  await opened();
  const measured = recorded.of('tender_http_request_seconds').slice(before);
  expect(measured.map(([labels]) => labels)).toEqual([
    { route: listen.path, method: 'GET', status: '2xx' },
  ]);
  const [in_flight] = await recorded.read('tender_http_requests_in_flight');
  expect(in_flight?.value).toBe(0);
});

test('a client that leaves ends what it listened to', async () => {
  await opened();
  const [source] = sources;
  const closed = once(source as Readable, 'close');
  await clients.destroy();
  await closed;
});

test('a stream that breaks off does not end in order for its client', async () => {
  for (const fault of [undefined, new Error('the other process is gone')]) {
    const { body } = await opened();
    const ended = body.text();
    sources.at(-1)?.push('data: 1\n\n');
    sources.at(-1)?.destroy(fault);
    await expect(ended).rejects.toThrow('terminated');
  }
});

test('an answer keeps no second copy of its headers, and a source waits for its client', async () => {
  let answer: ServerResponse | null = null;
  stage.server.server.once('request', (_, response) => (answer = response));
  const { body } = await opened();
  expect((answer as unknown as ServerResponse).getHeaderNames()).toEqual([]);
  const [source] = sources as [Readable];
  const much = 'data: much\n\n'.repeat(100_000);
  for (let more = 0; more < 20; more += 1) source.push(much);
  await new Promise(setImmediate);
  expect(source.readableLength).toBeGreaterThan(much.length);
  source.push(null);
  expect((await body.text()).length).toBe(20 * much.length);
});

test('a connection serves on once its stream has ended', async () => {
  const one = new Agent({ connections: 1 });
  const asked = (path: string) => send(url + path, { headers: bearer(TEST_KEY), dispatcher: one });
  for (let again = 0; again < 3; again += 1) {
    const { body } = await asked(listen.path);
    sources.at(-1)?.push(null);
    expect([await body.text(), (await asked('/api/v1/payments')).statusCode]).toEqual(['', 200]);
  }
  await one.destroy();
});

test('all open streams get a comment at once, again and again', async () => {
  const [one, other] = [await opened(), await opened()];
  for (let again = 0; again < 2; again += 1) {
    const heard = Promise.all([once(one.body, 'data'), once(other.body, 'data')]);
    expect(stage.later.size).toBeLessThanOrEqual(2);
    stage.secondsPass();
    expect((await heard).map(([chunk]) => String(chunk))).toEqual([':\n\n', ':\n\n']);
  }
});

test('a client that takes nothing from one comment to the next is dropped; one that reads is not', async () => {
  const [reads] = [await opened(), await opened()];
  reads.body.resume();
  const [kept, dropped] = sources as [Readable, Readable];
  const closed = once(dropped, 'close');
  const much = 'data: much\n\n'.repeat(100_000);
  for (let more = 0; more < 20; more += 1) dropped.push(much);
  // Not more often: a connection that stalls for six looks is ended whatever it is for.
  for (let comments = 0; comments < 2; comments += 1) {
    await new Promise(setImmediate);
    stage.secondsPass();
  }
  await closed;
  expect(kept.destroyed).toBe(false);
});

test('an address may have so many open; the next is refused by name, and one that ends makes room', async () => {
  const open = await Promise.all(Array.from({ length: STREAMS_MAX }, opened));
  const { statusCode, headers, body } = await opened();
  const refusal = (await body.json()) as object;
  expect([statusCode, headers['retry-after']]).toEqual([429, '15']);
  expect(refusal).toMatchObject({
    code: 'too_many_streams',
    retry_after: 15,
    details: { streams_max: STREAMS_MAX },
  });
  expect((await ask('/api/v1/payments')).statusCode).toBe(200);
  const [first] = open;
  const closed = once(sources[0] as Readable, 'close');
  first?.body.destroy();
  await closed;
  expect((await opened()).statusCode).toBe(200);
});

test('there is no HEAD of what has no end', async () => {
  const { statusCode, headers } = await ask(listen.path, 'HEAD');
  expect([statusCode, headers.allow, sources.length]).toEqual([405, 'GET', 0]);
});

test('the documents call it an event stream', () => {
  const document = openApiDocument([listen], '/') as {
    paths: Record<string, { get: { responses: Record<number, { content: object }> } }>;
  };
  expect(document.paths[listen.path]?.get.responses[200]?.content).toEqual({
    'text/event-stream': { schema: { type: 'string' } },
  });
});

// Last: the server is gone after it.
test('a server that stops ends its streams in order', async () => {
  const { body } = await opened();
  const ended = body.text();
  await stage.server.close();
  expect(await ended).toBe('');
  expect(sources[0]?.destroyed).toBe(true);
});
