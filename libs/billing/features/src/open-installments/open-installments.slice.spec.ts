import type { ContextStage } from '@tender/runtime/testing';
import { DAY_MS, installmentRoutes, linksOf } from '../testing/an-installment-plan';
import { billingStage } from '../testing/billing-stage';
import { playPayments, type PlayedPayments } from '../testing/played-payments';

let stage: ContextStage;
let payments: PlayedPayments;
let routes: ReturnType<typeof installmentRoutes>;
beforeAll(async () => {
  stage = await billingStage();
  payments = playPayments(stage);
  routes = installmentRoutes(stage);
});
afterAll(() => stage?.close());
beforeEach(() => void (payments.refusal = null));

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
const now = async (id: string): Promise<any> => (await routes.get(id)).json;
/** Each day the timers run at their own times. */
async function pass(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    stage.advance(DAY_MS);
    await stage.settle();
  }
}

test('on its due date an installment gets one link that stands for it alone, and one payment', async () => {
  const id = await routes.given({ description: 'A bicycle' });
  const none = { payment_id: null, payment_url: null };
  expect((await now(id)).payment_schedule[0]).toMatchObject(none);
  await pass(1);
  const link = payments.linkOf(id);
  const [first, second] = (await now(id)).payment_schedule;
  const until = new Date(Date.parse(first.due_date) + DAY_MS).toISOString();
  expect(link.claim).toEqual({
    ...{ merchant_id: 'm1', amount: 33.33, description: 'A bicycle (1/3)', is_for_one_thing: true },
    metadata: { installment_plan_id: id, installment_number: 1 },
    ...{ expires_at: until, payments_expire_at: until },
  });
  const [payment_id] = link.payment_ids;
  expect(first).toMatchObject({ status: 'pending', payment_id });
  expect(first.payment_url).toContain('/l/');
  expect(second).toMatchObject(none);
});

test('a day late it is asked for with the fee, once, by a link of its own, and the one before is closed', async () => {
  const id = await routes.given({ late_fee_amount: 5 });
  await pass(1);
  const first = payments.linkOf(id);
  await pass(1);
  const second = payments.linkOf(id);
  expect([first.is_closed, second.is_closed]).toEqual([true, false]);
  expect([first.claim.amount, second.claim.amount]).toEqual([33.33, 38.33]);
  await pass(3);
  expect(payments.linkOf(id)).toBe(second);
  const [late] = (await now(id)).payment_schedule;
  expect(late).toMatchObject({ status: 'late', amount: 38.33, payment_id: second.payment_ids[0] });
  const ends = new Date(Date.parse(late.due_date) + 7 * DAY_MS).toISOString();
  expect(second.claim.payments_expire_at).toBe(ends);
});

test('a payment by its link pays it once; the last one completes the plan', async () => {
  const id = await routes.given({ installment_count: 2, payment_frequency_days: 1 });
  await pass(1);
  const first = payments.linkOf(id);
  await payments.confirm(first);
  await stage.settle();
  await payments.confirm(first);
  await payments.confirm(first, { payment_id: 'pay_test_another' });
  await stage.settle();
  expect(await now(id)).toMatchObject({ status: 'active', paid_count: 1, completed_at: null });
  await pass(1);
  await payments.confirm(payments.linkOf(id));
  await stage.settle();
  const plan = await now(id);
  expect(plan).toMatchObject({ status: 'completed', paid_count: 2, completed_at: plan.updated_at });
  expect(plan.payment_schedule).toMatchObject(
    linksOf(payments, id).map(({ payment_ids: [payment_id] }) => ({ status: 'paid', payment_id })),
  );
});

test('money by the first link counts though the installment is late by now, and the second link is closed', async () => {
  const id = await routes.given({ late_fee_amount: 5 });
  await pass(1);
  const first = payments.linkOf(id);
  const at = new Date(stage.runtime.clock.now()).toISOString();
  await pass(1);
  const second = payments.linkOf(id);
  await payments.confirm(first, { at });
  await stage.settle();
  expect((await now(id)).payment_schedule[0]).toMatchObject({ status: 'paid', amount: 33.33, paid_at: at });
  expect(second.is_closed).toBe(true);
});

test.each([[1, 1, 'pending', 33.33], [2, 5, 'late', 38.33]] as const)(
  'paid in time by charge %i, and heard of long after its end: the installment is neither late nor missed by it',
  async (charge_number, lag_days, status, amount) => {
    const id = await routes.given({ late_fee_amount: 5, grace_period_days: 3 });
    await pass(charge_number);
    const link = payments.linkOf(id);
    const at = link.claim.payments_expire_at as string;
    payments.chain_lag_ms = 10 * DAY_MS;
    await pass(lag_days);
    expect(await now(id)).toMatchObject({ status: 'active' });
    expect((await now(id)).payment_schedule[0]).toMatchObject({ status, amount });
    payments.chain_lag_ms = 0;
    await payments.confirm(link, { at });
    await stage.settle();
    expect(linksOf(payments, id)).toHaveLength(charge_number);
    expect(await now(id)).toMatchObject({ status: 'active', paid_count: 1 });
    expect((await now(id)).payment_schedule[0]).toMatchObject({ status: 'paid', amount, paid_at: at });
  },
);

test('missed for longer than the grace the plan defaults: its link is closed, and nothing is charged again', async () => {
  const id = await routes.given({ grace_period_days: 2 });
  await pass(3);
  const link = payments.linkOf(id);
  expect(await now(id)).toMatchObject({ status: 'defaulted', defaulted_at: expect.any(String) as string });
  expect(link.is_closed).toBe(true);
  await pass(40);
  expect(linksOf(payments, id)).toHaveLength(2);
  await payments.confirm(link);
  await stage.settle();
  expect(await now(id)).toMatchObject({ status: 'defaulted', paid_count: 1 });
});

test('what payments refuses holds up nothing: the installment is late in its time and asked for anew', async () => {
  payments.refusal = 'wallet_not_ready';
  const id = await routes.given();
  await pass(1);
  expect((await now(id)).payment_schedule[0]).toMatchObject({ status: 'pending', payment_url: null });
  payments.refusal = null;
  await pass(1);
  expect((await now(id)).payment_schedule[0]).toMatchObject({
    ...{ status: 'late', payment_id: payments.linkOf(id).payment_ids[0] },
  });
});
