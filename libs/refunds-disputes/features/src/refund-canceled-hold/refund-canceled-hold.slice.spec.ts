import { inspectPayment, type HoldCanceler } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { PAYER, playPayments, type PlayedPayments } from '../testing/played-payments';
import { playTreasury, type PlayedTreasury } from '../testing/played-treasury';
import { refundRoutes } from '../testing/refund-routes';
import { refundsDisputesStage } from '../testing/refunds-disputes-stage';

let stage: ContextStage;
let payments: PlayedPayments;
let treasury: PlayedTreasury;
let routes: ReturnType<typeof refundRoutes>;
beforeAll(async () => {
  stage = await refundsDisputesStage();
  payments = playPayments(stage);
  treasury = playTreasury(stage);
  routes = refundRoutes(stage);
});
afterAll(() => stage?.close());

/** Payments says that the hold was canceled. */
async function cancel(payment_id: string, canceled_by: HoldCanceler = 'merchant'): Promise<void> {
  const asking = { mode: 'test', correlation_id: 'c1' } as const;
  const inspected = await stage.runtime.calls.ask(inspectPayment, { payment_id }, asking);
  const { payment, webhook_url } = inspected ?? {};
  await stage.say(`payment.test-${payment_id}`, 'payments.hold-canceled.v1', {
    ...{ payment, webhook_url, canceled_by },
  });
}
const refundsOf = async (payment_id: string) => (await routes.ofPayment(payment_id)).json;

test.each(['merchant', 'system'] as const)('a hold that the %s cancels goes back whole', async (canceled_by) => {
  const id = await payments.add({ hold: 'canceled' });
  await cancel(id, canceled_by);
  await stage.settle();
  const [refund, ...more] = await refundsOf(id);
  expect(more).toEqual([]);
  expect(refund).toMatchObject({
    ...{ amount_usd: 100, token_amount: '100000000', status: 'pending' },
    ...{ initiated_by: canceled_by, customer_wallet: PAYER, dispute_id: null },
  });
  await treasury.complete(refund.id);
  await stage.settle();
  expect(await refundsOf(id)).toMatchObject([{ status: 'completed' }]);
});

test('M2, M23: heard again, in another event, it goes back once', async () => {
  const id = await payments.add({ hold: 'canceled' });
  await cancel(id);
  await cancel(id);
  await stage.settle();
  const all = await refundsOf(id);
  expect(all).toHaveLength(1);
  await treasury.complete(all[0].id);
  await cancel(id);
  await stage.settle();
  expect(await refundsOf(id)).toMatchObject([{ id: all[0].id, status: 'completed' }]);
});

test('a refund by the merchant waits for that of the cancellation, and may follow where that failed', async () => {
  const id = await payments.add({ hold: 'canceled' });
  const early = await routes.create(id, { amount_usd: 10 });
  expect([early.status, early.json.code]).toEqual([409, 'payment_not_refundable']);
  await cancel(id);
  await stage.settle();
  const beside = await routes.create(id, { amount_usd: 10 });
  expect([beside.status, beside.json.code]).toEqual([409, 'refund_in_progress']);
  const [{ id: first }] = await refundsOf(id);
  await treasury.fail(first, 'sanctions_hit');
  await stage.settle();
  const { status } = await routes.create(id, { amount_usd: 100 });
  expect(status).toBe(201);
});

test.each(['held', 'capturing'] as const)('money that is %s is not refunded', async (hold) => {
  const id = await payments.add({ hold });
  const { status, json } = await routes.create(id, { amount_usd: 10 });
  expect([status, json.code]).toEqual([409, 'payment_not_refundable']);
});

test('where no payer is known the money stays, and other holds go back', async () => {
  const id = await payments.add({ hold: 'canceled', payment: { customer_wallet: null } });
  const other = await payments.add({ hold: 'canceled' });
  await cancel(id);
  await cancel(other);
  await stage.settle();
  expect(await refundsOf(id)).toEqual([]);
  expect(await refundsOf(other)).toHaveLength(1);
});
