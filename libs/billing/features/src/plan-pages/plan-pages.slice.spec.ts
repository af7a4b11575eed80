import {
  payPeriod,
  showPlan,
  subscribeToPlan,
  tellCustomer,
  type Customer,
  type RequestContext,
} from '@tender/contracts';
import { done, refuse } from '@tender/kernel';
import {
  NOBODY,
  subscriptionsStage,
  WALLET,
  type SubscriptionsStage,
} from '../testing/subscriptions-stage';

const DAY_MS = 24 * 60 * 60 * 1000;
let on: SubscriptionsStage;
/** What payments was told of who pays, and by which command. */
const told: (readonly [payment_id: string, customer: Customer, command_id: string])[] = [];

beforeAll(async () => {
  on = await subscriptionsStage();
  on.stage.runtime.calls.answer(tellCustomer, async ({ caller, payment_id, customer }) => {
    const is_known = told.some(([known]) => known === payment_id);
    told.push([payment_id, customer, caller.command_id]);
    return is_known ? refuse('customer_info_set') : done({ payment_id });
  });
});
afterAll(() => on?.close());

/** As the gateway has admitted a form of the page. */
const caller = (as: Partial<RequestContext> = {}) => on.stage.caller({ ...NOBODY, ...as });
const show = (plan_id: string, subscription_id: string | null = null) =>
  on.stage.runtime.calls.ask(showPlan, { plan_id, subscription_id }, { mode: 'test', correlation_id: 'c' });
const subscribe = (plan_id: string, more: object = {}, as: RequestContext = caller()) => {
  const wanted = { plan_id, customer_wallet: WALLET, ...more };
  return on.stage.runtime.calls.ask(subscribeToPlan, { caller: as, wanted }, as);
};
const nowIn14Days = () => new Date(on.stage.runtime.clock.now() + 14 * DAY_MS).toISOString();
const pay = (subscription_id: string, as: RequestContext = caller()) =>
  on.stage.runtime.calls.ask(payPeriod, { caller: as, subscription_id }, as);

async function subscribed(plan_id: string, more: object = {}): Promise<string> {
  const made = await subscribe(plan_id, more);
  if (!made.ok) throw new Error(made.refusal);
  return made.value.subscription_id;
}

test('a plan is shown without what is its merchant’s alone, and says when a trial is charged first', async () => {
  const terms = { description: 'Beans', trial_days: 14, max_cycles: 12, metadata: { cost: 3 } };
  const plan_id = await on.plan(terms);
  const [before, shown, after] = [nowIn14Days(), await show(plan_id), nowIn14Days()];
  const first_charge_at = shown?.first_charge_at ?? '';
  expect([before, first_charge_at, after].sort()[1]).toBe(first_charge_at);
  expect(shown).toEqual({
    ...{ kind: 'plan', plan_id, merchant_name: 'Corner Shop', support_email: 'help@shop.test' },
    ...{ mode: 'test', name: 'Gold', description: 'Beans', amount: 29.99, currency: 'USD' },
    ...{ token: 'USDC', billing_interval: 'monthly', interval_count: 1, trial_days: 14 },
    ...{ first_charge_at, max_cycles: 12 },
    ...{ is_active: true, subscription_url: `http://pay.test/s/${plan_id}`, subscription: null },
  });
});

test('what is not there, and a subscription of another plan, is no page', async () => {
  const [plan_id, other] = [await on.plan(), await on.plan()];
  const subscription_id = await subscribed(other);
  expect(await show(other, subscription_id)).toMatchObject({ subscription: { subscription_id } });
  const absent = [
    await show(`plan_test_${'0'.repeat(22)}`),
    await show(plan_id, subscription_id),
    await show(plan_id, `sub_test_${'0'.repeat(22)}`),
    await show(plan_id, ''),
  ];
  expect(absent).toEqual([null, null, null, null]);
});

test('a wallet that subscribes by the page has what the API would have made: its merchant’s, by its customer', async () => {
  const plan_id = await on.plan();
  const who = { customer_email: 'ada@example.com', customer_name: 'Ada', locale: 'fr' };
  const id = await subscribed(plan_id, who);
  const { json } = await on.ask('GET', `subscriptions/${id}`);
  expect(json).toMatchObject({ ...who, id, plan_id, merchant_id: 'm1', status: 'Active' });
  expect((await show(plan_id, id))?.subscription).toEqual({
    ...{ subscription_id: id, customer_wallet: WALLET, status: 'Active', is_due: true },
    ...{ cycles_completed: 0, current_period_end: json.current_period_end, resumes_at: null },
    next_payment_attempt: json.next_payment_attempt,
  });
});

test('sent twice under one attempt it is one subscription', async () => {
  const plan_id = await on.plan();
  const as = caller({ command_id: 'attempt-1', id_seed: 'cd'.repeat(16), body_hash: '' });
  const [one, again] = [await subscribe(plan_id, {}, as), await subscribe(plan_id, {}, as)];
  expect(one).toMatchObject({ ok: true });
  expect(again).toEqual(one);
});

test('a plan that is archived takes none, and its page says so', async () => {
  const plan_id = await on.plan();
  await on.ask('POST', `subscription-plans/${plan_id}/deactivate`);
  expect(await show(plan_id)).toMatchObject({ is_active: false });
  expect(await subscribe(plan_id)).toMatchObject({ ok: false, refusal: 'plan_inactive' });
});

test('the first period is paid by one payment, which knows the customer of the subscription', async () => {
  const id = await subscribed(await on.plan(), { customer_email: 'ada@example.com', customer_name: 'Ada' });
  const [one, again] = [await pay(id, caller({ command_id: 'press' })), await pay(id)];
  expect(again).toEqual(one);
  const { payment_ids, claim } = on.payments.linkOf(id);
  expect([one, claim.amount]).toEqual([done({ payment_id: payment_ids[0] }), 29.99]);
  const mine = told.filter(([payment_id]) => payment_id === payment_ids[0]);
  expect(mine.map(([, customer]) => customer)).toEqual([
    { email: 'ada@example.com', name: 'Ada' },
    { email: 'ada@example.com', name: 'Ada' },
  ]);
  // Another command than the one that has begun the payment: of one command a stream takes no second effect.
  expect(mine[0]?.[2]).toBe('press|customer');
});

test('nothing is to be paid in a trial, nor of a subscription that is not there', async () => {
  const plan_id = await on.plan({ trial_days: 14 });
  const id = await subscribed(plan_id);
  expect((await show(plan_id, id))?.subscription).toMatchObject({ status: 'Trialing', is_due: false });
  expect(await pay(id)).toMatchObject({ ok: false, refusal: 'payment_not_due' });
  expect(await pay(`sub_test_${'0'.repeat(22)}`)).toMatchObject({ refusal: 'subscription_not_found' });
});

test('once it is paid its page says until when', async () => {
  const plan_id = await on.plan();
  const id = await subscribed(plan_id);
  await pay(id);
  await on.payments.confirm(on.payments.linkOf(id));
  await on.stage.settle();
  const shown = await show(plan_id, id);
  expect(shown?.subscription).toMatchObject({ is_due: false, cycles_completed: 1 });
});
