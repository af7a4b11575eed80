import type { ContextStage } from '@tender/runtime/testing';
import { billingStage } from '../testing/billing-stage';

const KEYED = { asker: { kind: 'key', key_id: 'k1' } } as const;
const MERCHANT = { merchant_id: 'm1', merchant_name: 'Corner Shop', actor: 'key:k1' as const, ...KEYED };

let stage: ContextStage;
beforeAll(async () => {
  stage = await billingStage();
});
afterAll(() => stage?.close());

const GOLD = { name: 'Gold', amount: 29.99, billing_interval: 'monthly' };
const create = (body: object, changes: object = {}) =>
  stage.send('POST', '/api/v1/subscription-plans', stage.caller({ ...MERCHANT, ...changes }), body);
const get = (path: string, changes: object = {}) =>
  stage.send('GET', `/api/v1/subscription-plans${path}`, stage.caller({ ...MERCHANT, ...changes }));

test('answers every field', async () => {
  const { status, json } = await create({
    ...GOLD,
    ...{ trial_days: 14, max_cycles: 12, description: 'All of it', metadata: { tier: 1 } },
  });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^plan_test_[0-9A-Za-z]{22}$/) as string,
    merchant_id: 'm1',
    name: 'Gold',
    description: 'All of it',
    amount: 29.99,
    currency: 'USD',
    billing_interval: 'monthly',
    interval_count: 1,
    trial_days: 14,
    max_cycles: 12,
    is_active: true,
    subscription_url: expect.stringMatching(/\/s\/plan_test_/) as string,
    metadata: { tier: 1 },
    mode: 'test',
    created_at: expect.any(String) as string,
  });
});

test.each([
  ['daily', 3650],
  ['weekly', 520],
  ['monthly', 120],
  ['yearly', 10],
])('a %s plan has periods of at most %i of them, which are ten years', async (billing_interval, count_max) => {
  const longest = await create({ ...GOLD, billing_interval, interval_count: count_max });
  expect([longest.status, longest.json.interval_count]).toEqual([201, count_max]);
  const longer = await create({ ...GOLD, billing_interval, interval_count: count_max + 1 });
  expect([longer.status, longer.json.code]).toEqual([400, 'invalid_parameter']);
  expect(longer.text).toContain(`interval_count must be at most ${count_max}`);
});

test('the same request again is the same plan; another body is refused', async () => {
  const repeat = { command_id: 'c-1', id_seed: 'ab'.repeat(16) };
  const first = await create(GOLD, repeat);
  const again = await create(GOLD, repeat);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const other = await create({ ...GOLD, name: 'Two' }, { ...repeat, body_hash: 'another body' });
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

test('a GET by id shows it alike from the stream and from the row', async () => {
  const { json, headers } = await create(GOLD);
  const min_position = headers['x-tender-position'] as string;
  const from_stream = await get(`/${json.id}`, { min_position });
  await stage.settle();
  const from_row = await get(`/${json.id}`, { min_position });
  expect([from_stream.json, from_row.json]).toEqual([json, json]);
});

test('a stranger, the other mode and an unknown id are the same 404', async () => {
  const { json } = await create(GOLD);
  await stage.settle();
  const answers = await Promise.all([
    get(`/${json.id}`, { merchant_id: 'm2' }),
    get(`/${json.id}`, { mode: 'live' }),
    get(`/plan_test_${'0'.repeat(22)}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
