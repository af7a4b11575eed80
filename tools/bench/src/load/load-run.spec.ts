import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { LoadRun } from './load-run';
import type { LoadSpec } from './load-spec';

/** The very object that the load has its pauses from. */
const timers = jest.requireActual<typeof import('node:timers/promises')>('node:timers/promises');

/** The time of the load: it moves with each request that arrives, or with each pause of the load. */
let now_ms: number;
let request_ms: number;
let server: http.Server;
let seen: { key: string; body: string }[];
let status: (number: number) => number;

beforeEach(async () => {
  seen = [];
  status = () => 200;
  now_ms = 1_000;
  request_ms = 1;
  jest.spyOn(performance, 'now').mockImplementation(() => now_ms);
  jest.spyOn(timers, 'setTimeout').mockImplementation(async (delay_ms = 0) => {
    now_ms += delay_ms;
    await new Promise((resolve) => setImmediate(resolve));
    return undefined as never;
  });
  server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      now_ms += request_ms;
      seen.push({ key: String(request.headers['idempotency-key']), body });
      response.writeHead(status(seen.length)).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(async () => {
  jest.restoreAllMocks();
  await new Promise((resolve) => server.close(resolve));
});

const spec = (more: Partial<LoadSpec> = {}): LoadSpec => ({
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  request: { method: 'POST', paths: ['/'], headers: {}, body: 'payment' },
  connections: 4,
  warmup_ms: 20,
  timed_ms: 100,
  ...more,
});

test('every accepted answer is counted, those of the warm-up too', async () => {
  const result = await new LoadRun(spec()).run();
  expect(result.accepted).toBe(seen.length);
  expect(result.answers).toBeLessThan(result.accepted);
  expect(result.failures).toEqual({});
});

test('each order is JSON and has a key of its own', async () => {
  await new LoadRun(spec()).run();
  expect(new Set(seen.map(({ key }) => key)).size).toBe(seen.length);
  expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ token: 'USDC', currency: 'USD' });
});

test('an answer that is not 2xx is a failure and no throughput', async () => {
  status = (number) => (number % 2 ? 503 : 200);
  const result = await new LoadRun(spec()).run();
  expect(result.failures['503 without Retry-After']).toBe(Math.ceil(seen.length / 2));
  expect(result.accepted).toBe(Math.floor(seen.length / 2));
});

test('an open loop sends as many as are due, whatever the answers do', async () => {
  request_ms = 0;
  const result = await new LoadRun(spec({ rate: 500, connections: 1 })).run();
  // 120 ms, one every two.
  expect(seen).toHaveLength(60);
  expect(result.accepted).toBe(seen.length);
});
