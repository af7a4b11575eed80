import type { ContextStage } from '@tender/runtime/testing';
import { DAY_MS, installmentRoutes, THREE, WALLET } from '../testing/an-installment-plan';
import { billingStage } from '../testing/billing-stage';

let stage: ContextStage;
let routes: ReturnType<typeof installmentRoutes>;
beforeAll(async () => {
  stage = await billingStage();
  routes = installmentRoutes(stage);
});
afterAll(() => stage?.close());

const in_days = (days: number, from_ms = stage.runtime.clock.now()) =>
  new Date(from_ms + days * DAY_MS).toISOString();

test('answers every field: shares are floored to cents, the rest is on the last', async () => {
  const from_ms = stage.runtime.clock.now();
  const first_payment_date = in_days(10, from_ms);
  const { status, json } = await routes.create({
    ...{ ...THREE, first_payment_date, description: 'A bicycle', late_fee_amount: 5 },
    ...{ customer_email: ' Ada@Example.com ', grace_period_days: 3, metadata: { order: 42 } },
  });
  expect(status).toBe(201);
  const id = expect.stringMatching(/^inst_test_[0-9A-Za-z]{22}$/) as string;
  const entry = (installment_number: number, amount: number) => ({
    ...{ installment_number, amount, status: 'pending' },
    due_date: in_days(10 + (installment_number - 1) * 30, from_ms),
    ...{ payment_id: null, payment_url: null, paid_at: null },
  });
  expect(json).toEqual({
    ...{ id, plan_id: json.id, merchant_id: 'm1', customer_wallet: WALLET },
    customer_email: expect.stringMatching(/ada@example.com/i) as string,
    ...{ total_amount: 100, installment_count: 3, amount_per_installment: 33.33 },
    ...{ payment_frequency_days: 30, first_payment_date, paid_count: 0, status: 'active' },
    ...{ description: 'A bicycle', late_fee_amount: 5, grace_period_days: 3 },
    payment_schedule: [entry(1, 33.33), entry(2, 33.33), entry(3, 33.34)],
    ...{ metadata: { order: 42 }, locale: 'en', mode: 'test' },
    created_at: expect.any(String) as string,
    updated_at: json.created_at,
    ...{ completed_at: null, defaulted_at: null, cancelled_at: null },
  });
});

test('what is left out: the first is due in a day, seven days of grace, no fee', async () => {
  const { json } = await routes.create();
  expect(Date.parse(json.first_payment_date) - Date.parse(json.created_at)).toBe(DAY_MS);
  expect(json).toMatchObject({
    ...{ grace_period_days: 7, late_fee_amount: null, description: null, customer_email: null },
    ...{ metadata: {}, locale: 'en' },
  });
});

test('the same request again is the same plan; another body is refused', async () => {
  const repeat = { command_id: 'c-1', id_seed: 'cd'.repeat(16) };
  const first = await routes.create(THREE, repeat);
  const again = await routes.create(THREE, repeat);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const other = await routes.create({ ...THREE, total_amount: 99 }, { ...repeat, body_hash: 'other' });
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

test('a merchant without a wallet makes none: its customer would be asked for what cannot be paid', async () => {
  const merchant_id = 'without-a-wallet';
  const poor = await routes.create(THREE, { merchant_id, wallet: null });
  expect([poor.status, poor.json.code]).toEqual([409, 'wallet_not_ready']);
  expect((await routes.list('', { merchant_id })).json).toEqual([]);
});

test.each([
  ['first_payment_date', () => ({ first_payment_date: in_days(-1 / 24) }), 400, 'invalid_parameter'],
  ['first_payment_date', () => ({ first_payment_date: in_days(3654) }), 400, 'invalid_parameter'],
  ['less than a cent', () => ({ total_amount: 0.02 }), 422, 'validation_failed'],
  ['the merchant’s maximum', () => ({ total_amount: 1_000_000 }), 422, 'amount_too_large'],
  ['late fee', () => ({ late_fee_amount: 999_999.99 }), 422, 'amount_too_large'],
])('names what is wrong: %s', async (named, changes, status, code) => {
  const { json, ...answer } = await routes.create({ ...THREE, ...changes() });
  expect([answer.status, json.code]).toEqual([status, code]);
  expect(json.error).toContain(named);
  const fields = status === 400 ? [{ field: named }] : undefined;
  expect(json.details).toMatchObject(fields ? { fields } : {});
});

test('a GET by id shows it alike from the stream and from the row', async () => {
  const { json, headers } = await routes.create({ ...THREE, customer_email: 'ada@example.com' });
  const min_position = headers['x-tender-position'] as string;
  const from_stream = await routes.get(json.id as string, { min_position });
  await stage.settle();
  const from_row = await routes.get(json.id as string, { min_position });
  expect([from_stream.json, from_row.json]).toEqual([json, json]);
});

test('an e-mail is in no event and no row in clear', async () => {
  const id = await routes.given({ customer_email: 'grace.hopper@example.com' });
  const rows = await stage.runtime.readModels.query(
    'select state from billing.installment_plans where id = $1',
    [id],
  );
  const events = await stage.runtime.eventStore.load(`installment.test-${id}`);
  expect(events).toHaveLength(1);
  expect(JSON.stringify([rows, events])).not.toContain('grace.hopper');
});

test('a stranger, the other mode and an id of no plan are the same 404 on every route', async () => {
  const id = await routes.given();
  const nobodys = `inst_test_${'0'.repeat(22)}`;
  for (const route of [routes.get, routes.nextDue, routes.pay, routes.cancel]) {
    const answers = await Promise.all([
      route(id, { merchant_id: 'm2' }),
      route(id, { mode: 'live' }),
      route(nobodys),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  }
});
