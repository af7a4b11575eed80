import { WEBHOOK_EVENTS } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: 'W1' },
  ...{ actor: 'key:k1', asker: { kind: 'key', key_id: 'k1' } as const },
};

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
});
afterAll(() => stage?.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const create = (body: object = {}, changes: object = {}) =>
  stage.send('POST', '/api/v1/payment-intents', stage.caller({ ...OWNER, ...changes }), {
    ...{ amount: 10.5, ...body },
  });
const newIntent = async (body: object = {}, changes: object = {}): Promise<Json> =>
  (await create(body, changes)).json;
const get = (path: string, changes: object = {}) =>
  stage.send('GET', `/api/v1/payment-intents${path}`, stage.caller({ ...OWNER, ...changes }));
const cancel = ({ id }: Json, changes: object = {}) =>
  stage.send('POST', `/api/v1/payment-intents/${id}/cancel`, stage.caller({ ...OWNER, ...changes }));
const typesOf = async ({ id }: Json): Promise<string[]> =>
  (await get(`/${id}/events`)).json.map(({ event_type }: Json) => event_type as string);

test('answers every field of the table; the client secret is in this answer alone', async () => {
  const metadata = { order: 42 };
  const { status, json } = await create({ description: 'Order 42', metadata });
  expect(status).toBe(201);
  const { client_secret, ...intent } = json;
  expect(intent).toEqual({
    id: expect.stringMatching(/^pi_test_[0-9A-Za-z]{22}$/) as string,
    ...{ merchant_id: 'm1', amount: 10.5, currency: 'USD', description: 'Order 42' },
    ...{ status: 'requires_payment', capture_method: 'automatic', payment_id: null },
    ...{ payment_url: null, customer_wallet: null, payment_type: null, failure_reason: null },
    ...{ transaction_signature: null, metadata, mode: 'test', capture_before: null },
    created_at: expect.any(String) as string,
    expires_at: new Date(Date.parse(json.created_at) + 86_400_000).toISOString(),
  });
  // 43 characters of base62 hold 256 bits.
  expect(client_secret).toMatch(new RegExp(`^${intent.id}_secret_[0-9A-Za-z]{43}$`));
  expect((await get(`/${intent.id}`)).json).toEqual(intent);
  const events = await stage.runtime.eventStore.load(`intent.test-${intent.id}`);
  expect(events.map(({ type }) => type)).toEqual([
    ...['PaymentIntentCreated', 'PaymentIntentRequiresPayment'],
  ]);
  await stage.settle();
  const rows = await stage.runtime.readModels.query('select * from payments.payment_intents');
  const secret = client_secret.slice(-43);
  expect(JSON.stringify([events, rows, (await get('')).json])).not.toContain(secret);
});

test('a row and a stream answer the same bytes', async () => {
  const intent = await newIntent({ metadata: { b: 1, a: [null, 2] } });
  await cancel(intent);
  await stage.settle();
  const by_row = await get(`/${intent.id}`);
  await stage.runtime.readModels.query('delete from payments.payment_intents_g1 where id = $1', [
    intent.id,
  ]);
  expect((await get(`/${intent.id}`)).text).toBe(by_row.text);
});

test('the same request again is the same intent, with its secret; another has another', async () => {
  const repeat = { command_id: 'c-1', id_seed: 'ab'.repeat(16) };
  const [first, again] = [await create({}, repeat), await create({}, repeat)];
  expect(again.text).toBe(first.text);
  const { client_secret } = await newIntent();
  expect(client_secret.slice(-43)).not.toBe(first.json.client_secret.slice(-43));
});

test('no wallet and too much are refused by name', async () => {
  const no_wallet = await create({}, { wallet: null });
  expect([no_wallet.status, no_wallet.json.code]).toEqual([409, 'wallet_not_ready']);
  const large = await create({ amount: 1_000_000, currency: 'EUR' });
  expect([large.status, large.json.code]).toEqual([422, 'amount_too_large']);
});

test('cancel ends it once; what has ended takes no step', async () => {
  const intent = await newIntent();
  const repeat = { command_id: 'c-cancel' };
  const canceled = await cancel(intent, repeat);
  expect([canceled.status, canceled.json.status]).toEqual([200, 'canceled']);
  expect((await cancel(intent, repeat)).text).toBe(canceled.text);
  const again = await cancel(intent);
  expect([again.status, again.json.code]).toEqual([409, 'invalid_intent_state']);
  expect(again.json.details).toEqual({ status: 'canceled' });
  expect(await typesOf(intent)).toEqual([
    ...['PaymentIntentCreated', 'PaymentIntentRequiresPayment', 'PaymentIntentCanceled'],
  ]);
});

test('at its time it expires, and its history says so; one that was canceled stays canceled', async () => {
  const intent = await newIntent({ expires_in_seconds: 60 });
  const other = await newIntent({ expires_in_seconds: 60 });
  await cancel(other);
  stage.advance(60_000);
  await stage.settle();
  const { json } = await get(`/${intent.id}`);
  expect(json).toMatchObject({ status: 'expired', failure_reason: 'expired' });
  const late = await cancel(intent);
  expect([late.status, late.json.details]).toEqual([409, { status: 'expired' }]);
  expect((await get(`/${other.id}`)).json.status).toBe('canceled');

  const history = (await get(`/${intent.id}/events`)).json as Json[];
  expect(history.map(({ event_type, data }) => [event_type, data.status])).toEqual([
    ['PaymentIntentCreated', 'requires_payment'],
    ['PaymentIntentRequiresPayment', 'requires_payment'],
    ['PaymentIntentFailed', 'expired'],
  ]);
  for (const { event_type } of history) expect(WEBHOOK_EVENTS).toContain(event_type);
  expect(history[2]).toEqual({
    id: expect.stringMatching(/^evt_test_[0-9A-Za-z]{22}$/) as string,
    ...{ payment_intent_id: intent.id, event_type: 'PaymentIntentFailed', data: json },
    created_at: expect.any(String) as string,
  });
  expect(new Set(history.map(({ id }) => id)).size).toBe(3);
});

test('the list has the merchant’s own, newest first, by each status', async () => {
  const shop = { merchant_id: 'm-list' };
  const ids: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    ids.unshift((await newIntent({ expires_in_seconds: n === 1 ? 60 : 3600 }, shop)).id);
    stage.advance(1);
  }
  await cancel({ id: ids[0] }, shop);
  stage.advance(60_000);
  await stage.settle();
  const page = await get('?limit=2', shop);
  expect(page.json.data.map(({ id }: Json) => id)).toEqual(ids.slice(0, 2));
  expect(page.json.pagination).toMatchObject({ offset: 0, total: 3, has_more: true });
  expect(page.text).not.toContain('client_secret');
  const by = async (status: string) =>
    (await get(`?status=${status}`, shop)).json.data.map(({ id }: Json) => id);
  expect(await Promise.all(['canceled', 'expired', 'requires_payment', 'failed'].map(by))).toEqual([
    ...[[ids[0]], [ids[1]], [ids[2]], []],
  ]);
});

test('another merchant’s, the other mode’s and unknown ones do not exist', async () => {
  const { id } = await newIntent();
  const unknown = id.slice(0, -1) + (id.endsWith('0') ? '1' : '0');
  const ask = (path: string, changes: object = {}) =>
    path.endsWith('cancel')
      ? stage.send('POST', `/api/v1/payment-intents${path}`, stage.caller({ ...OWNER, ...changes }))
      : get(path, changes);
  const answers = await Promise.all(
    ['', '/events', '/cancel'].flatMap((action) => [
      ask(`/${id}${action}`, { merchant_id: 'm2' }),
      ask(`/${id}${action}`, { mode: 'live' }),
      ask(`/${unknown}${action}`),
    ]),
  );
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 404, json: { code: 'not_found' } });
  expect((await get(`/${id}`)).json.status).toBe('requires_payment');
});
