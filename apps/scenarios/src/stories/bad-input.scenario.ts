/** @landing embedded */
import { eventually } from '../harness/eventually';
import { FORBIDDEN_JSON } from './forbidden-json';
import { sharedProgram } from '../harness/running-program';
import { newMerchant, type Merchant } from '../harness/merchants';

const program = sharedProgram();
let merchant: Merchant;

beforeAll(async () => {
  merchant = await newMerchant(program);
});

const IP = [400, 'invalid_parameter'] as const;
const MF = [400, 'missing_required_field'] as const;
const order = (fields: string) => `{"amount": 10${fields && `, ${fields}`}}`;
const many = (count: number, entry: (index: number) => string) =>
  `{${Array.from({ length: count }, (_, index) => entry(index)).join(',')}}`;

/** Number in the catalogue of bad inputs → body of POST /payments → status and code. */
const BODIES: readonly (readonly [string, string, readonly [number, string]])[] = [
  ['1 NaN', '{"amount": NaN}', IP],
  ['2 1e400', '{"amount": 1e400}', IP],
  ['3 -1e400', '{"amount": -1e400}', IP],
  ['4 zero', '{"amount": 0}', IP],
  ['5 minus zero', '{"amount": -0}', IP],
  ['6 negative', '{"amount": -5}', IP],
  ['7 underflow', '{"amount": 1e-400}', IP],
  ['8 seven decimals', '{"amount": 0.0000001}', IP],
  ['8 three decimals', '{"amount": 1.005}', IP],
  ['9 over the maximum', '{"amount": 1000000}', [422, 'amount_too_large']],
  ['10 more than a double holds', '{"amount": 9007199254740993}', [422, 'amount_too_large']],
  ['11 text', '{"amount": "10"}', IP],
  ['12 empty text', '{"amount": ""}', IP],
  ['13 boolean', '{"amount": true}', IP],
  ['14 null', '{"amount": null}', MF],
  ['15 array', '{"amount": [10]}', IP],
  ['16 object', '{"amount": {"$gt": 0}}', IP],
  ['17 absent', '{}', MF],
  ['18 hexadecimal', '{"amount": 0x10}', IP],
  ['18 plus', '{"amount": +1}', IP],
  ['18 leading zero', '{"amount": 01}', IP],
  ['18 bare fraction', '{"amount": .5}', IP],
  ['18 bare point', '{"amount": 1.}', IP],
  ['19 other digits', '{"amount": "١٠"}', IP],
  ['21 sixteen decimals', '{"amount": 1.0000000000000001}', IP],
  ['23 empty body', '', IP],
  ['24 array body', '[]', IP],
  ['24 text body', '"x"', IP],
  ['24 null body', 'null', IP],
  ['25 trailing comma', '{"amount": 1,}', IP],
  ['25 garbage after', '{"amount": 1} x', IP],
  ['26 duplicate key', '{"amount": 1, "amount": 1000}', IP],
  ['28 __proto__', order('"__proto__": {"x": 1}'), IP],
  ['29 constructor', order('"constructor": {"prototype": {"x": 1}}'), IP],
  ['30 metadata.__proto__', order('"metadata": {"__proto__": {"x": 1}}'), IP],
  ['31 depth 33', order(`"metadata": ${'{"a":'.repeat(33)}1${'}'.repeat(33)}`), IP],
  ['32 open brackets', '['.repeat(60_000), IP],
  ['33 too large', order(`"description": "${'x'.repeat(66_000)}"`), [413, 'payload_too_large']],
  ['38 lone surrogate', order('"description": "\\ud800"'), IP],
  ['44 currency', order('"currency": "USDX"'), IP],
  ['44 currency number', order('"currency": 3'), IP],
  ['45 token', order('"token": "BTC"'), IP],
  ['46 long description', order(`"description": "${'x'.repeat(501)}"`), IP],
  ['48 NUL', order('"description": "\\u0000"'), IP],
  ['51 keys', order(`"metadata": ${many(51, (i) => `"k${i}": 1`)}`), IP],
  ['51 long key', order(`"metadata": {"${'k'.repeat(41)}": 1}`), IP],
  ['51 long value', order(`"metadata": {"k": "${'v'.repeat(501)}"}`), IP],
  ['51 16 KiB', order(`"metadata": ${many(40, (i) => `"k${i}": "${'v'.repeat(450)}"`)}`), IP],
  ['52 metadata array', order('"metadata": []'), IP],
  ['54 header in e-mail', order('"customer_email": "a@b\\r\\nBcc: x@y"'), IP],
  ['55 quoted e-mail', order('"customer_email": "\\"x@evil.com y\\"@good.com"'), IP],
  ['56 long e-mail', order(`"customer_email": "${'a'.repeat(255)}@b.co"`), IP],
  ['60 private URL', order('"webhook_url": "https://[::ffff:a00:1]/"'), IP],
  ['61 metadata service', order('"webhook_url": "https://169.254.169.254/latest"'), IP],
  ['62 scheme', order('"webhook_url": "file:///etc/passwd"'), IP],
  ['63 user in URL', order('"webhook_url": "https://u:p@example.com/"'), IP],
  ['known but not built', order('"split_recipients": [{"recipient_type": "wallet"}]'), IP],
];

async function everythingStored(): Promise<unknown> {
  const [payments, events] = await Promise.all([
    merchant.api.get('/api/v1/payments?limit=1'),
    merchant.api.get('/api/v1/events?limit=100'),
  ]);
  return [payments.json.pagination.total, events.json.data.length];
}

test.each(BODIES)('%s', async (_, body, expected) => {
  const before = await everythingStored();
  const answer = await merchant.api.post('/api/v1/payments', body);
  expect([answer.status, answer.json.code]).toEqual(expected);
  expect(typeof answer.json.error).toBe('string');
  expect(answer.json.details).toEqual(expect.any(Object));
  expect(await everythingStored()).toEqual(before);
});

test.each([
  ['the faucet', 'faucet', { address: '1'.repeat(32), token: 'SOL', amount: 1 }, 'address'],
  ['the faucet', 'faucet', { address: `Vote${'1'.repeat(39)}`, token: 'SOL', amount: 1 }, 'address'],
  ['a payment', 'pay', { from: 'z'.repeat(64) }, 'from'],
  ['a payment', 'pay', { from: `1${'z'.repeat(86)}` }, 'from'],
])('the test helpers refuse %s (%s) with what is no wallet and no secret', async (_, helper, body, field) => {
  const payment = await merchant.api.post('/api/v1/payments', '{"amount": 1}');
  const asked = helper === 'pay' ? { payment_id: payment.json.id, ...body } : body;
  const answer = await merchant.api.post(`/api/v1/test_helpers/${helper}`, JSON.stringify(asked));
  expect([answer.status, answer.json.code]).toEqual(IP);
  expect(answer.json.details.fields).toMatchObject([{ field }]);
});

test.each(FORBIDDEN_JSON)('JSON that RFC 8259 forbids: %s', async (_, bytes) => {
  const answer = await merchant.api.send('POST', '/api/v1/payments', bytes);
  expect([answer.status, answer.json.code]).toEqual(IP);
});

test.each([
  ['20 trailing zeros', '{"amount": 10.000000}', 10],
  ['22 exponent', '{"amount": 1E2}', 100],
])('%s is the value', async (_, body, amount) => {
  const answer = await merchant.api.post('/api/v1/payments', body);
  expect([answer.status, answer.json.amount]).toEqual([200, amount]);
});

test('47, 50, 53: text, emoji and odd keys come back as they went', async () => {
  const sent = {
    amount: 1,
    description: '<script>alert(1)</script> 👩‍👩‍👧‍👦é',
    metadata: { constructor: 'c', toString: 't', "' OR 1=1--": '{"$where": 1}' },
  };
  const answer = await merchant.api.post('/api/v1/payments', JSON.stringify(sent));
  expect(answer.status).toBe(200);
  const read = await merchant.api.get(`/api/v1/payments/${answer.json.id}`);
  expect(read.json.description).toBe(sent.description);
  expect(read.json.metadata).toEqual(sent.metadata);
  expect(Object.keys(read.json.metadata)).toEqual(Object.keys(sent.metadata));
});

test('53: keys that differ in an escape only are told apart, in every answer and event', async () => {
  const sources = ['size\\\\', 'size\\"', 'size\\\\\\\\', 'size\\\\u0022'].map(
    (key) => `{"a":"x","${key}":"x"}`,
  );
  for (const source of [...sources, ...sources]) {
    const created = await merchant.api.post(
      '/api/v1/payments',
      `{"amount":1,"currency":"USD","metadata":${source}}`,
    );
    const metadata = `"metadata":${source}`;
    const { id } = created.json as { id: string };
    expect(created.text).toContain(metadata);
    expect((await merchant.api.get(`/api/v1/payments/${id}`)).text).toContain(metadata);
    const listed = await eventually(
      () => merchant.api.get('/api/v1/payments?limit=1'),
      ({ text }) => text.includes(id),
    );
    expect(listed.text).toContain(metadata);
    const events = await eventually(
      () => merchant.api.get('/api/v1/events?limit=100'),
      ({ text }) => text.includes(id),
    );
    expect(events.text.slice(events.text.indexOf(id))).toContain(metadata);
  }
});

test('27: an unknown field is named, not obeyed', async () => {
  const answer = await merchant.api.post(
    '/api/v1/payments',
    order('"amuont": 5, "status": "confirmed"'),
  );
  expect([answer.status, answer.json.status]).toEqual([200, 'pending']);
  expect(String(answer.headers['x-svc-ignored-fields'])).toContain('amuont');
});

test.each(['text/plain', 'application/xml', 'application/json; charset=utf-7'])(
  '39, 40: %s is 415',
  async (type) => {
    const answer = await merchant.api.post('/api/v1/payments', '{"amount":1}', {
      'content-type': type,
    });
    expect([answer.status, answer.json.code]).toEqual([415, 'unsupported_media_type']);
  },
);

test.each([
  '/api/v1/payments?limit=0',
  '/api/v1/payments?limit=101',
  '/api/v1/payments?limit=abc',
  '/api/v1/payments?limit=1e9',
  '/api/v1/payments?limit=1&limit=2',
  '/api/v1/payments?offset=-1',
  '/api/v1/payments?offset=9223372036854775808',
  '/api/v1/webhooks?limit=-1',
])('98–100: %s is 400', async (path) => {
  const answer = await merchant.api.get(path);
  expect([answer.status, answer.json.code]).toEqual(IP);
});

test.each(['bearer x', 'Basic eDp5', 'Bearer ', 'Bearer  svc_test_', `Bearer ${'k'.repeat(8000)}`])(
  '103: Authorization "%s" is 401',
  async (authorization) => {
    const answer = await program.client().get('/api/v1/payments', { authorization });
    expect([answer.status, answer.json.code]).toEqual([401, 'authentication_failed']);
  },
);

test.each([
  '/api/v1/payments/..%00',
  '/api/v1/payments/%2e%2e%2f',
  `/api/v1/payments/${'x'.repeat(9000)}`,
  '/api/v1/payments/%ff',
])('76, 106: the path %s is a client error in the error shape', async (path) => {
  const answer = await merchant.api.get(path);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect(typeof answer.json.code).toBe('string');
});

test('104: a foreign Host does not move the links', async () => {
  const answer = await merchant.api.post(
    '/api/v1/payments',
    { amount: 1 },
    {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    },
  );
  expect(answer.json.payment_url).not.toContain('evil');
});

test.each([
  ['GET', '/nothing', 404, 'not_found'],
  ['DELETE', '/api/v1/payments', 405, 'method_not_allowed'],
  ['PATCH', '/api/v1/keys', 405, 'method_not_allowed'],
])('%s %s is %i', async (method, path, status, code) => {
  const answer = await merchant.api.send(method, path, undefined);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});
