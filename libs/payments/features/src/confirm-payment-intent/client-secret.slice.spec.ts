import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const WALLET = '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin';
const OWNER = {
  ...{ merchant_id: 'm1', merchant_name: 'Corner Shop', wallet: WALLET },
  ...{ actor: 'key:k1', asker: { kind: 'key', key_id: 'k1' } as const },
};

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
});
afterAll(() => stage?.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const send = (path: string, body: object, changes: object = {}) =>
  stage.send('POST', `/api/v1/payment-intents${path}`, stage.caller({ ...OWNER, ...changes }), body);
const newIntent = async (body: object = {}): Promise<Json> =>
  (await send('', { amount: 10, ...body })).json;
const confirm = ({ id }: Json, client_secret: string, changes: object = {}) =>
  send(`/${id}/confirm`, { customer_wallet: WALLET, client_secret }, changes);
const guess = (intent: Json, n: number, changes: object = {}) =>
  confirm(intent, `${intent.id}_secret_guess${n}`, changes);
const eventsOf = ({ id }: Json) => stage.runtime.eventStore.load(`intent.test-${id}`);
const wrongOnes = async (intent: Json) =>
  (await eventsOf(intent)).filter(({ type }) => type === 'ClientSecretRefused');

test('of twenty wrong secrets at once five are 403 and the others 429; the right one is 429, too', async () => {
  const intent = await newIntent();
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => guess(intent, n)));
  const codes = answers.map(({ status, json }) => `${status} ${json.code}`).toSorted();
  expect(codes).toEqual([
    ...Array<string>(5).fill('403 forbidden'),
    ...Array<string>(15).fill('429 rate_limit_exceeded'),
  ]);
  const right = await confirm(intent, intent.client_secret);
  expect([right.status, right.json.code]).toEqual([429, 'rate_limit_exceeded']);
  expect(right.json.retry_after).toBeGreaterThan(890);
  expect(right.headers['retry-after']).toBe(String(right.json.retry_after));
  expect(await wrongOnes(intent)).toHaveLength(5);
  const told = JSON.stringify([await eventsOf(intent), answers.map(({ text }) => text)]);
  expect(told).not.toContain('_secret_guess');
});

test('after 15 minutes the lock is gone, and five more lock it again', async () => {
  const intent = await newIntent();
  for (let n = 0; n < 5; n += 1) expect((await guess(intent, n)).status).toBe(403);
  expect((await guess(intent, 5)).status).toBe(429);
  stage.advance(15 * 60 * 1000);
  for (let n = 0; n < 5; n += 1) expect((await guess(intent, n)).status).toBe(403);
  expect((await guess(intent, 5)).status).toBe(429);
  expect(await wrongOnes(intent)).toHaveLength(10);
});

test('the secret of another intent is wrong; a repeat of a wrong one counts once', async () => {
  const [intent, other] = [await newIntent(), await newIntent()];
  const repeat = { command_id: 'c-wrong' };
  for (let n = 0; n < 3; n += 1) {
    expect((await confirm(intent, other.client_secret, repeat)).status).toBe(403);
  }
  expect(await wrongOnes(intent)).toHaveLength(1);
  expect(await wrongOnes(other)).toEqual([]);
});

test('what has ended counts no secrets, and is no longer locked but over', async () => {
  const canceled = await newIntent();
  await send(`/${canceled.id}/cancel`, {});
  const timed = await newIntent({ expires_in_seconds: 60 });
  for (let n = 0; n < 5; n += 1) await guess(timed, n);
  stage.advance(60_000);
  for (const [intent, status] of [
    [canceled, 'canceled'],
    [timed, 'expired'],
  ] as const) {
    for (const secret of [intent.client_secret as string, 'wrong']) {
      const { status: code, json } = await confirm(intent, secret);
      expect([code, json.code]).toEqual([409, 'invalid_intent_state']);
      expect(json.details).toEqual({ status });
    }
  }
  expect(await wrongOnes(canceled)).toEqual([]);
});

test('its webhooks hear nothing of wrong secrets, and its history shows none', async () => {
  const intent = await newIntent();
  await guess(intent, 1);
  const url = `/api/v1/payment-intents/${intent.id}/events`;
  const { json } = await stage.send('GET', url, stage.caller(OWNER));
  expect(json.map(({ event_type }: Json) => event_type as string)).toEqual([
    ...['PaymentIntentCreated', 'PaymentIntentRequiresPayment'],
  ]);
});
