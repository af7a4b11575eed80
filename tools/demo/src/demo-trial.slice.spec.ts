import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { demoTrial } from './demo-trial';

const asked: string[] = [];
let made = 0;
let payment_status = 'pending';
let refused = false;
/** A program as far as the trial knows it: whatever is made has another id. */
const program = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(`${request.method} ${path}`);
  const id = `o${(made += 1)}`;
  const one = { id, payment_id: id, link_code: 'l1', client_secret: `secret_${id}`, status: 'failed' };
  const answer = path.endsWith('/status') ? { status: payment_status } : one;
  const is_list = request.method === 'GET' && !path.endsWith('/status');
  response.writeHead(refused ? 429 : 200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(refused ? { error: 'Later.' } : is_list ? [answer] : answer));
});
const MINUTE = 60_000;
let now_ms = 0;
const told: unknown[] = [];
let open: ReturnType<typeof demoTrial>;

beforeAll(() => new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve)));
afterAll(() => void program.close());
beforeEach(() => {
  [now_ms, payment_status, refused] = [0, 'pending', false];
  told.length = 0;
  const url = `http://127.0.0.1:${(program.address() as AddressInfo).port}`;
  const needs = { now: () => now_ms, failed: (error: unknown) => void told.push(error) };
  open = demoTrial({ url, api_key: 'svc_test_1', merchant_id: 'm1' }, needs);
});

/** What the program was asked meanwhile. */
async function opened() {
  const before = asked.length;
  const { examples } = await open();
  return { requests: asked.slice(before), examples };
}

test('objects are made once; payments and intents that have ended are begun anew', async () => {
  const first = await opened();
  expect(first.requests).toContain('POST /api/v1/payment-links');
  expect(first.examples.adminCreateKey?.path).toEqual({ id: 'm1' });
  expect((await opened()).requests).toEqual([]);

  now_ms = 5 * MINUTE;
  const look = `GET /api/v1/payments/${first.examples.getPayment?.path?.id}/status`;
  expect((await opened()).requests).toEqual([look]);

  payment_status = 'expired';
  const { requests, examples } = await opened();
  const begun = ['POST /api/v1/payment-links/l1/pay', 'POST /api/v1/payment-intents'];
  expect([...new Set(requests.slice(1))]).toEqual(begun);
  expect(examples.getPayment).not.toEqual(first.examples.getPayment);
  expect(examples.getInvoice).toEqual(first.examples.getInvoice);
});

test('payments that a reader ends do not use up the limits: five minutes pass before others are begun', async () => {
  await opened();
  payment_status = 'confirmed';
  now_ms = 5 * MINUTE;
  expect((await opened()).requests.length).toBeGreaterThan(1);
  now_ms = 10 * MINUTE - 1;
  expect((await opened()).requests).toEqual([]);
  now_ms = 10 * MINUTE;
  expect((await opened()).requests.length).toBeGreaterThan(1);
});

test('a refusal is told, and what was made stays', async () => {
  const { examples } = await opened();
  [now_ms, refused] = [5 * MINUTE, true];
  expect((await opened()).examples).toEqual(examples);
  expect(String(told)).toContain('was refused /payments/');
  expect((await opened()).requests).toEqual([]);
  expect(told).toHaveLength(1);
});

test('where nothing could be made there is the key, and the next try is five minutes later', async () => {
  refused = true;
  expect(await open()).toEqual({ api_key: 'svc_test_1', examples: {} });
  expect((await opened()).requests).toEqual([]);
  expect(String(told)).toBe('Error: The demo merchant was refused /payment-links: 429 Later.');
  [now_ms, refused] = [5 * MINUTE, false];
  expect((await opened()).examples.getPayment?.path).toHaveProperty('id');
});
