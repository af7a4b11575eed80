import { NOBODY, subscriptionsStage, type SubscriptionsStage } from '../testing/subscriptions-stage';

let on: SubscriptionsStage;
beforeAll(async () => {
  on = await subscriptionsStage();
});
afterAll(() => on?.close());

const DAY_MS = 24 * 60 * 60 * 1000;
const step = (id: string, name: string, body: object = {}, as: object = {}) =>
  on.ask('POST', `subscriptions/${id}/${name}`, body, as);
const seen = async (id: string) => (await on.ask('GET', `subscriptions/${id}`)).json;
const now = () => on.stage.runtime.clock.now();

test('paused nothing is charged; resumed, the period ends later by the time paused', async () => {
  const { id, current_period_end } = await on.subscribe();
  await on.stage.settle();
  const paused = await step(id, 'pause');
  expect(paused.json).toMatchObject({ status: 'Paused', next_payment_attempt: null, resumes_at: null });
  await on.stage.settle();
  const before = on.payments.linkOf(id);
  on.stage.advance(3 * DAY_MS);
  await on.stage.settle();
  expect(on.payments.linkOf(id)).toBe(before);
  const resumed = await step(id, 'resume');
  expect(resumed.json).toMatchObject({ status: 'Active', paused_at: null });
  const moved_ms = Date.parse(resumed.json.current_period_end) - Date.parse(current_period_end);
  const paused_ms = Date.parse(resumed.json.updated_at) - Date.parse(paused.json.paused_at);
  expect(moved_ms).toBe(paused_ms);
  await on.stage.settle();
  const since = on.payments.linkOf(id);
  expect([since === before, before.is_closed, since.is_closed]).toEqual([false, true, false]);
  expect(await seen(id)).toMatchObject({ status: 'Active', payment_url: expect.stringContaining('/l/') as string });
});

test('resumed after its charge had run out: no time behind it, no dead link, and it is paid right then', async () => {
  const { id } = await on.subscribe();
  await on.stage.settle();
  const before = on.payments.linkOf(id);
  await step(id, 'pause');
  on.stage.advance(10 * DAY_MS);
  const { json: resumed } = await step(id, 'resume');
  expect(resumed).toMatchObject({ status: 'Active', payment_url: null });
  expect(resumed.next_payment_attempt).toBe(resumed.updated_at);
  on.payments.chain_lag_ms = 20 * DAY_MS;
  const waiting = await step(id, 'pay');
  expect([waiting.status, waiting.json.code]).toEqual([503, 'service_unavailable']);
  expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0);
  on.payments.chain_lag_ms = 0;
  const { status, json } = await step(id, 'pay');
  const since = on.payments.linkOf(id);
  expect([status, json.payment_id]).toEqual([201, since.payment_ids[0]]);
  expect([since === before, before.is_closed]).toEqual([false, true]);
  await on.stage.settle();
  expect(on.payments.linkOf(id)).toBe(since);
  expect((await seen(id)).next_payment_attempt > resumed.updated_at).toBe(true);
});

test('resumed while its charge has time left it goes on with that: one link, one payment', async () => {
  const { id } = await on.subscribe();
  await on.stage.settle();
  const { json: before } = await on.ask('POST', `subscriptions/${id}/pay`);
  await step(id, 'pause');
  await on.stage.settle();
  await step(id, 'resume');
  await on.stage.settle();
  const { status, json } = await on.ask('POST', `subscriptions/${id}/pay`);
  expect([status, json.payment_id]).toEqual([201, before.payment_id]);
  const own = on.payments.links.filter(({ claim }) => claim.metadata?.['subscription_id'] === id);
  const opened = own.map(({ is_closed, payment_ids }) => [is_closed, payment_ids.length]);
  expect(opened).toEqual([[false, 1]]);
});

test('a charge that is paid in a pause and heard of after the resume is not charged again', async () => {
  const { id } = await on.subscribe();
  await on.stage.settle();
  const link = on.payments.linkOf(id);
  const at = new Date(now()).toISOString();
  await step(id, 'pause');
  on.payments.chain_lag_ms = 10 * DAY_MS;
  on.stage.advance(3 * DAY_MS);
  await step(id, 'resume');
  await on.stage.settle();
  expect(on.payments.linkOf(id)).toBe(link);
  on.payments.chain_lag_ms = 0;
  await on.payments.confirm(link, { at });
  await on.stage.settle();
  expect(await seen(id)).toMatchObject({ status: 'Active', cycles_completed: 1, payment_url: null });
  expect(on.payments.linkOf(id)).toBe(link);
});

test('it resumes by itself when its merchant has said so', async () => {
  const { id } = await on.subscribe();
  const resumes_at = new Date(now() + 10 * DAY_MS).toISOString();
  expect((await step(id, 'pause', { resumes_at })).json).toMatchObject({ resumes_at });
  on.stage.advance(10 * DAY_MS);
  await on.stage.settle();
  expect(await seen(id)).toMatchObject({ status: 'Active', updated_at: resumes_at });
});

test('what is not in the table is refused by name', async () => {
  const trialing = await on.subscribe({ trial_days: 3 });
  const ended = await on.subscribe();
  await step(ended.id, 'cancel');
  const running = await on.subscribe();
  const refused = [
    await step(trialing.id, 'pause'),
    await step(ended.id, 'pause'),
    await step(ended.id, 'resume'),
    await step(running.id, 'resume'),
  ];
  expect(refused.map(({ status, json }) => [status, json.code])).toEqual(
    Array(4).fill([409, 'invalid_subscription_state']),
  );
  const past = await step(running.id, 'pause', { resumes_at: new Date(now() - 1).toISOString() });
  expect([past.status, past.json.code]).toEqual([400, 'invalid_parameter']);
  expect(past.json.details.fields).toMatchObject([{ field: 'resumes_at' }]);
  const foreign = await step(running.id, 'pause', {}, { merchant_id: 'm2' });
  expect([foreign.status, foreign.json.code]).toEqual([404, 'subscription_not_found']);
});

test('paused it can be cancelled, at once or when its moved period ends', async () => {
  const { id } = await on.subscribe();
  await step(id, 'pause');
  expect((await step(id, 'cancel', { cancel_at_period_end: true })).json).toMatchObject({
    ...{ status: 'Paused', cancel_at_period_end: true },
  });
  expect((await step(id, 'cancel')).json.status).toBe('Cancelled');
  expect((await step(id, 'cancel', {}, NOBODY)).status).toBe(400);
});
