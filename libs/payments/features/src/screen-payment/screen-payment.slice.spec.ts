import type { ScreeningRequest } from '@tender/contracts';
import { done, refuse } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const MERCHANT = {
  merchant_id: 'm1',
  merchant_name: 'Corner Shop',
  wallet: '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
};

let stage: ContextStage;
let action: 'pass' | 'review' | 'block' = 'pass';
let failure: 'stale' | 'down' | 'slow' | null = null;
const asked: ScreeningRequest[] = [];

beforeAll(async () => {
  stage = await paymentsStage({}, {}, async (request) => {
    asked.push(request);
    if (failure === 'stale') return refuse('screening_unavailable');
    if (failure === 'down') throw new Error('fraud has failed');
    if (failure === 'slow') return new Promise(() => undefined);
    return done({ score: action === 'block' ? 90 : 0, action, reasons: ['list_ip'] });
  });
});
afterAll(() => stage?.close());
beforeEach(() => {
  [action, failure] = ['pass', null];
  asked.length = 0;
});

const create = (changes: object = {}, body: object = { amount: 3 }) =>
  stage.send('POST', '/api/v1/payments', stage.caller({ ...MERCHANT, ...changes }), body);
const total = async () => {
  await stage.settle();
  const list = await stage.send('GET', '/api/v1/payments', stage.caller(MERCHANT));
  return list.json.pagination.total as number;
};

test('an order is screened as it would be stored, with what is known of the customer', async () => {
  const { status, json } = await create({}, { amount: 3, customer_email: 'Ada@example.com' });
  expect(status).toBe(200);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toMatchObject({
    ...{ stage: 'create', amount_usd_cents: '300', customer_wallet: null },
    ...{ customer_email: 'Ada@example.com', client_address: '192.0.2.1' },
    asked_by: 'merchant',
    payment: { id: json.id, merchant_id: 'm1', status: 'pending', wallet_address: MERCHANT.wallet },
  });
  expect(asked[0]?.customer_subject).toMatch(/^customer-/);
});

test('review lets the payment go on', async () => {
  action = 'review';
  expect((await create()).status).toBe(200);
});

test('block is 402 with the payment’s id and nothing of why, and nothing is stored', async () => {
  const before = await total();
  action = 'block';
  const { status, json, text } = await create();
  expect([status, json.code]).toEqual([402, 'payment_blocked']);
  expect(json.details).toEqual({ payment_id: expect.stringMatching(/^pay_test_/) as string });
  expect(text).not.toContain('list_ip');
  expect(await total()).toBe(before);
});

test('the repeat of a request that has made its payment is answered as it was', async () => {
  const repeat = { command_id: 'c-1', id_seed: 'ab'.repeat(16) };
  const first = await create(repeat);
  action = 'block';
  const again = await create(repeat);
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test.each(['stale', 'down', 'slow'] as const)('no screening (%s), no payment: 503', async (way) => {
  const before = await total();
  failure = way;
  const { status, json } = await create();
  expect([status, json.code]).toEqual([503, 'service_unavailable']);
  expect(await total()).toBe(before);
});

test('what would be refused anyway is not screened', async () => {
  expect((await create({}, { amount: 1_000_000 })).status).toBe(422);
  expect(asked).toEqual([]);
});
