import { NOBODY, subscriptionsStage, type SubscriptionsStage } from '../testing/subscriptions-stage';

let on: SubscriptionsStage;
beforeAll(async () => {
  on = await subscriptionsStage();
});
afterAll(() => on?.close());

const GOLD = { name: 'Gold', amount: 29.99, billing_interval: 'monthly' };
const named = async (name: string, as: object = {}) =>
  (await on.ask('POST', 'subscription-plans', { ...GOLD, name }, as)).json;

test('a merchant lists its own plans of the mode, newest first, and how many there are', async () => {
  const whose = { merchant_id: 'm-list' };
  const first = await named('One', whose);
  on.stage.advance(1000);
  const second = await named('Two', whose);
  await named('Other', { merchant_id: 'm-other' });
  await named('Live', { ...whose, mode: 'live' });
  await on.stage.settle();
  for (const path of ['subscription-plans', 'subscriptions/plans']) {
    const all = await on.ask('GET', path, undefined, whose);
    expect([all.json, all.headers['x-total-count']]).toEqual([[second, first], '2']);
  }
});

test('a plan is public, its metadata is its merchant’s', async () => {
  const { json } = await on.ask('POST', 'subscription-plans', { ...GOLD, metadata: { tier: 1 } });
  const { metadata, ...shown } = json;
  expect(metadata).toEqual({ tier: 1 });
  for (const path of ['subscription-plans', 'subscriptions/plans']) {
    const seen = await on.ask('GET', `${path}/${json.id}`, undefined, NOBODY);
    expect([seen.status, seen.json]).toEqual([200, shown]);
    expect((await on.ask('GET', `${path}/${json.id}`)).json).toEqual(json);
    const foreign = await on.ask('GET', `${path}/${json.id}`, undefined, { merchant_id: 'm2' });
    expect([foreign.status, foreign.json.code]).toEqual([404, 'plan_not_found']);
  }
});

test('its other path and the other name of its interval make the same plan', async () => {
  const { billing_interval: interval, ...rest } = GOLD;
  const made = await on.ask('POST', 'subscriptions/plans', { ...rest, interval });
  expect([made.status, made.json.billing_interval]).toEqual([201, 'monthly']);
  const silent = await on.ask('POST', 'subscription-plans', rest);
  expect([silent.status, silent.json.code]).toEqual([400, 'missing_required_field']);
  const both = await on.ask('POST', 'subscription-plans', { ...GOLD, interval: 'daily' });
  expect([both.status, both.json.code]).toEqual([400, 'invalid_parameter']);
});

test('deactivated and activated, however often; only by its merchant', async () => {
  const { id } = await named('Gold');
  const turn = (name: string, as: object = {}) =>
    on.ask('POST', `subscription-plans/${id}/${name}`, undefined, as);
  for (const [name, is_active] of [['deactivate', false], ['activate', true]] as const) {
    for (let time = 0; time < 2; time += 1) {
      const { status, json } = await turn(name);
      expect([status, json.is_active]).toEqual([200, is_active]);
    }
  }
  expect((await turn('deactivate', { merchant_id: 'm2' })).json.code).toBe('plan_not_found');
});
