import {
  NOBODY,
  subscriptionsStage,
  WALLET,
  type SubscriptionsStage,
} from '../testing/subscriptions-stage';

let on: SubscriptionsStage;
beforeAll(async () => {
  on = await subscriptionsStage();
});
afterAll(() => on?.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const text = expect.any(String) as string;
const create = (body: object, as: object = {}) => on.ask('POST', 'subscriptions', body, as);

test('answers every field, with where its first period is paid', async () => {
  const plan_id = await on.plan();
  const wanted = { plan_id, customer_wallet: WALLET, customer_email: 'ada@example.com' };
  const more = { customer_name: 'Ada Lovelace', metadata: { seat: 3 }, locale: 'fr' };
  const { status, json } = await create({ ...wanted, ...more });
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^sub_test_[0-9A-Za-z]{22}$/) as string,
    ...{ plan_id, plan_name: 'Gold', customer_wallet: WALLET, status: 'Active' },
    ...{ current_period_start: json.created_at, current_period_end: text, cycles_completed: 0 },
    next_payment_attempt: new Date(Date.parse(json.created_at) + DAY_MS).toISOString(),
    ...{ trial_end: null, created_at: text, updated_at: json.created_at },
    payment_url: `http://pay.test/l/${on.payments.linkOf(json.id).payment_link_id}`,
    ...{ merchant_id: 'm1', amount: 29.99, currency: 'USD', cancel_at_period_end: false },
    ...{ cancellation_reason: null, cancelled_at: null, paused_at: null, resumes_at: null },
    ...{ locale: 'fr', mode: 'test', customer_email: 'ada@example.com', metadata: { seat: 3 } },
    customer_name: 'Ada Lovelace',
  });
});

test('a trial is charged nothing before it ends', async () => {
  const { id, ...shown } = await on.subscribe({ trial_days: 14 });
  expect(shown).toMatchObject({ status: 'Trialing', payment_url: null });
  expect(shown).toMatchObject({ trial_end: shown.current_period_end });
  await on.stage.settle();
  expect(() => on.payments.linkOf(id)).toThrow('no link');
  const early = await on.ask('POST', `subscriptions/${id}/pay`);
  expect([early.status, early.json.code]).toEqual([409, 'payment_not_due']);
  on.stage.advance(14 * DAY_MS);
  await on.stage.settle();
  const { json } = await on.ask('GET', `subscriptions/${id}`);
  expect(json).toMatchObject({ status: 'Active', payment_url: text });
  expect(on.payments.linkOf(id).payment_ids).toHaveLength(1);
});

test('a name alone is refused: it is for mails', async () => {
  const wanted = { plan_id: await on.plan(), customer_wallet: WALLET, customer_name: 'Ada' };
  const { status, json } = await create(wanted);
  expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  expect(json.details.fields).toEqual([{ field: 'customer_email', message: text }]);
});

test('the same request again is the same subscription; another body is refused', async () => {
  const wanted = { plan_id: await on.plan(), customer_wallet: WALLET };
  const repeat = { command_id: 'c-1', id_seed: 'ab'.repeat(16) };
  const first = await create(wanted, repeat);
  const again = await create(wanted, repeat);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const other = await create(wanted, { ...repeat, body_hash: 'another' });
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
});

test('without a key a customer subscribes, and is shown neither metadata nor an e-mail', async () => {
  const wanted = { plan_id: await on.plan(), customer_wallet: WALLET };
  const private_parts = { customer_email: 'ada@example.com', metadata: { seat: 3 } };
  const { status, json } = await create({ ...wanted, ...private_parts }, NOBODY);
  expect([status, json.merchant_id, json.payment_url]).toEqual([201, 'm1', text]);
  const seen = await on.ask('GET', `subscriptions/${json.id}`, undefined, NOBODY);
  expect(seen.json).toEqual(json);
  expect(Object.keys(json as object)).not.toEqual(expect.arrayContaining(['metadata']));
  expect(json).not.toHaveProperty('customer_email');
  const owned = await on.ask('GET', `subscriptions/${json.id}`);
  expect(owned.json).toMatchObject(private_parts);
});

test('a plan that is inactive, absent or another merchant’s takes none, nor a merchant without a wallet', async () => {
  const plan_id = await on.plan();
  const wanted = { plan_id, customer_wallet: WALLET };
  const poor = await create(wanted, { wallet: null });
  expect([poor.status, poor.json.code]).toEqual([409, 'wallet_not_ready']);
  await on.ask('POST', `subscription-plans/${plan_id}/deactivate`);
  const inactive = await create(wanted);
  expect([inactive.status, inactive.json.code]).toEqual([409, 'plan_inactive']);
  const absent = [
    await create({ ...wanted, plan_id: `plan_test_${'0'.repeat(22)}` }),
    await create(wanted, { merchant_id: 'm2' }),
    await create(wanted, { mode: 'live' }),
  ];
  expect(absent.map(({ json }) => json.code)).toEqual(Array(3).fill('plan_not_found'));
  expect(new Set(absent.map((answer) => answer.text)).size).toBe(1);
});

test('a stranger’s subscription is not found', async () => {
  const { id } = await on.subscribe();
  const answers = [
    await on.ask('GET', `subscriptions/${id}`, undefined, { merchant_id: 'm2' }),
    await on.ask('GET', `subscriptions/${id}`, undefined, { mode: 'live' }),
    await on.ask('GET', `subscriptions/sub_test_${'0'.repeat(22)}`, undefined, NOBODY),
  ];
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
    Array(3).fill([404, 'subscription_not_found']),
  );
});
