import type { AddressInfo } from 'node:net';
import { Agent, request as send } from 'undici';
import { bearer, EdgeStage, TEST_KEY } from '../testing/edge-stage';
import { Places } from './places';

const MAX = 3;
let stage: EdgeStage;
let url: string;
let waiting: ((answer: object) => void)[];

beforeEach(async () => {
  waiting = [];
  stage = new EdgeStage({
    config: { requests_max: MAX },
    handlers: { listPayments: () => new Promise((answer) => waiting.push(answer)) },
  });
  await stage.server.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(stage.server.server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  answerAll();
  await stage.server.close();
});

const answerAll = (): void => waiting.splice(0).forEach((answer) => answer([]));

async function ask(path = '/api/v1/payments', more: object = {}) {
  const { statusCode, headers, body } = await send(url + path, {
    headers: bearer(TEST_KEY),
    reset: true,
    ...more,
  });
  return { status: statusCode, headers, text: await body.text() };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(setImmediate);
}

test('one more than may be let in is refused at once, in the shape of every refusal', async () => {
  const let_in = Array.from({ length: MAX }, () => ask());
  await until(() => waiting.length === MAX);
  const refused = await ask();
  const { code, correlation_id } = JSON.parse(refused.text) as Record<string, string>;
  expect([refused.status, code]).toEqual([503, 'service_unavailable']);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.headers).toMatchObject({
    'x-correlation-id': correlation_id,
    'x-ratelimit-limit': expect.any(String),
    'cache-control': 'no-store',
  });
  expect([stage.looked_up.length, stage.calls]).toEqual([MAX, MAX]);
  expect((await ask('/healthz')).status).toBe(200);

  answerAll();
  for (const { status } of await Promise.all(let_in)) expect(status).toBe(200);
  const again = ask();
  await until(() => waiting.length === 1);
  answerAll();
  expect((await again).status).toBe(200);
});

test('a client that goes away leaves its place to others', async () => {
  const gone = new AbortController();
  const left = Array.from({ length: MAX }, () => ask(undefined, { signal: gone.signal }));
  await until(() => waiting.length === MAX);
  gone.abort();
  await Promise.allSettled(left);
  // Clients that have left are never answered: a place is free once the server knows that they have gone.
  for (let let_in = false; !let_in; ) {
    let refused = false;
    const asked = ask().then((answer) => {
      refused = answer.status === 503;
      return answer;
    });
    await until(() => refused || waiting.length > MAX);
    let_in = !refused;
    if (let_in) answerAll();
    expect((await asked).status).toBe(let_in ? 200 : 503);
  }
});

test('pages and probes have places of their own, and not all for one address', async () => {
  const held: (() => void)[] = [];
  const open = new EdgeStage();
  open.server.addHook('onSend', (request, __, ___, done) => {
    if (request.headers['x-hold']) held.push(() => done());
    else done();
  });
  await open.server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = open.server.server.address() as AddressInfo;
  const elsewhere = new Agent({ localAddress: '127.0.0.2' });
  const at = async (path: string, more: object = {}) => {
    const { statusCode, body } = await send(`http://127.0.0.1:${port}${path}`, more);
    await body.dump();
    return statusCode;
  };
  // Made once, which takes long: a connection whose request is read that late would be ended instead.
  expect(await at('/openapi.json')).toBe(200);
  const pages = Array.from({ length: 20 }, () => at('/openapi.json', { headers: { 'x-hold': '1' } }));
  try {
    await until(() => held.length === 20);
    expect(await at('/asyncapi.json')).toBe(503);
    expect(await at('/asyncapi.json', { dispatcher: elsewhere })).toBe(200);
    expect(await at('/healthz')).toBe(200);
    expect(await at('/api/v1/payments', { headers: bearer(TEST_KEY) })).toBe(200);
  } finally {
    for (const release of held.splice(0)) release();
  }
  expect(await Promise.all(pages)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(await at('/asyncapi.json')).toBe(200);
  await elsewhere.destroy();
  await open.server.close();
});

test('no address has all places, and what it leaves is free', () => {
  const places = new Places({ all: 3, per_address: 2 });
  expect([places.take('a'), places.take('a'), places.take('a')]).toEqual([true, true, false]);
  expect([places.take('b'), places.take('b')]).toEqual([true, false]);
  places.leave('a');
  expect([places.take('a'), places.take('b')]).toEqual([true, false]);
  for (const address of ['a', 'a', 'b']) places.leave(address);
  expect([places.take('b'), places.take('b')]).toEqual([true, true]);
});
