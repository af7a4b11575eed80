import { openPaymentLink } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
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

test('before it is due, the next installment can be paid; asked again, by the same payment', async () => {
  const id = await routes.given();
  const { status, json, headers } = await routes.pay(id);
  const min_position = headers['x-tender-position'];
  const events = await stage.runtime.eventStore.load(`installment.test-${id}`);
  const begun = events.find(({ type }) => type === 'InstallmentPaymentBegun');
  expect(min_position).toBe(begun?.position);
  const next = (await routes.nextDue(id, { min_position })).json;
  expect(status).toBe(201);
  expect(json).toEqual({
    payment_id: payments.linkOf(id).payment_ids[0],
    payment_url: expect.stringContaining('/l/') as string,
    ...{ installment_plan_id: id, installment_number: 1, amount: 33.33 },
    expires_at: new Date(Date.parse(next.due_date) + DAY_MS).toISOString(),
  });
  expect(next).toMatchObject({ installment_number: 1, payment_id: json.payment_id });
  await stage.settle();
  expect((await routes.pay(id)).json).toEqual(json);
  stage.advance(DAY_MS);
  await stage.settle();
  expect((await routes.pay(id)).json).toEqual(json);
  expect(linksOf(payments, id)).toHaveLength(1);
});

test('each request for one that can be paid mails its link again, within bounds, and a repeat of a request none', async () => {
  const id = await routes.given({ customer_email: 'ada@example.com' });
  stage.advance(DAY_MS);
  await stage.settle();
  const mails = async () => {
    await stage.settle();
    const queued = 'select 1 from billing.mails where stream = $1';
    return (await stage.runtime.readModels.query(queued, [`installment.test-${id}`])).length;
  };
  const before = await mails();
  const asked = { command_id: `p-${id}` };
  const first = await routes.pay(id, asked);
  expect([first.status, await mails()]).toEqual([201, before + 1]);
  expect((await routes.pay(id, asked)).text).toBe(first.text);
  expect(await mails()).toBe(before + 1);
  const within_the_hour = await routes.pay(id);
  expect([within_the_hour.text, await mails()]).toEqual([first.text, before + 1]);
  stage.advance(DAY_MS / 24);
  await routes.pay(id);
  expect(await mails()).toBe(before + 2);
});

test('asked for at the same moment many times, it is one link and one payment', async () => {
  const id = await routes.given();
  const answers = await Promise.all(Array.from({ length: 10 }, () => routes.pay(id)));
  // What was refused says why.
  expect(answers.filter(({ status }) => status !== 201).map(({ text }) => text)).toEqual([]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  await stage.settle();
  expect(linksOf(payments, id)).toHaveLength(1);
});

test('paid ahead one after the other, to the end: then nothing is due, and it is not paid', async () => {
  const id = await routes.given();
  const numbers: number[] = [];
  for (let count = 0; count < 3; count += 1) {
    numbers.push((await routes.pay(id)).json.installment_number as number);
    await payments.confirm(payments.linkOf(id));
    await stage.settle();
  }
  expect(numbers).toEqual([1, 2, 3]);
  const { json } = await routes.get(id);
  expect([json.status, json.paid_count]).toEqual(['completed', 3]);
  const none = await routes.nextDue(id);
  expect([none.status, none.json.code]).toEqual([404, 'no_installment_due']);
  const over = await routes.pay(id);
  expect([over.status, over.json.code, over.json.details.status]).toEqual([409, 'plan_not_active', 'completed']);
});

test('an installment that lies further ahead than payments looks can be paid all the same', async () => {
  const first_payment_date = new Date(stage.runtime.clock.now() + 3652 * DAY_MS).toISOString();
  const id = await routes.given({ first_payment_date });
  expect((await routes.pay(id)).status).toBe(201);
  const until = Date.parse(payments.linkOf(id).claim.payments_expire_at ?? '');
  expect(until).toBeLessThan(stage.runtime.clock.now() + 3651 * DAY_MS);
});

test('without a wallet nothing is paid, and it says so; with one it is', async () => {
  payments.refusal = 'wallet_not_ready';
  const id = await routes.given();
  const poor = await routes.pay(id, { wallet: null });
  expect([poor.status, poor.json.code]).toEqual([409, 'wallet_not_ready']);
  payments.refusal = null;
  expect((await routes.pay(id)).status).toBe(201);
});

/** Happens between the opening of a link and the plan's hearing of it. */
function onceItsLinkIsOpen(work: () => Promise<unknown>) {
  const { calls } = stage.runtime;
  const ask = calls.ask.bind(calls);
  return jest.spyOn(calls, 'ask').mockImplementation(async (call, ...rest) => {
    const answer = await ask(call as never, ...(rest as [never, never]));
    if (call.name === openPaymentLink.name) await work();
    return answer;
  });
}

test('paid while its link is opened, it says that it cannot be paid, and the link is closed', async () => {
  const id = await routes.given();
  const now = new Date(stage.runtime.clock.now()).toISOString();
  const paid_by = { payment_id: 'pay_test_another', paid_at: now };
  const command = { type: 'PayInstallment', installment_number: 1, paid_by, now } as const;
  const meanwhile = onceItsLinkIsOpen(() =>
    installmentPlan.handle(stage.runtime, 'test', id, command, {
      ...{ command_id: `paid|${id}`, body_hash: null, merchant_id: 'm1', actor: 'system' },
      ...{ correlation_id: 'corr', causation_id: null },
    }),
  );
  const { status, json } = await routes.pay(id);
  await stage.settle();
  meanwhile.mockRestore();
  expect([status, json.code]).toEqual([409, 'invalid_payment_state']);
  expect(payments.linkOf(id).is_closed).toBe(true);
  expect((await routes.pay(id)).json).toMatchObject({ installment_number: 2 });
});

test('more than payments takes is refused by name, and so is a plan that is cancelled under way', async () => {
  payments.refusal = 'amount_too_large';
  const id = await routes.given();
  const large = await routes.pay(id);
  expect([large.status, large.json.code]).toEqual([422, 'amount_too_large']);
  await stage.settle();
  payments.refusal = null;
  const meanwhile = onceItsLinkIsOpen(() => routes.cancel(id));
  const { status, json } = await routes.pay(id);
  meanwhile.mockRestore();
  expect([status, json.code, json.details.status]).toEqual([409, 'plan_not_active', 'cancelled']);
  expect(payments.linkOf(id).is_closed).toBe(true);
});

test('cancelled: what is unpaid is voided, its link is closed, and a message says what became of it', async () => {
  const id = await routes.given();
  await routes.pay(id);
  await payments.confirm(payments.linkOf(id));
  await stage.settle();
  await routes.pay(id);
  await stage.settle();
  const second = payments.linkOf(id);
  const { status, json } = await routes.cancel(id);
  await stage.settle();
  expect([status, json.status, json.cancelled_at]).toEqual([200, 'cancelled', json.updated_at]);
  expect(json.payment_schedule.map((one: { status: string }) => one.status)).toEqual(['paid', 'voided', 'voided']);
  expect(json.message).toBe(
    'The plan is cancelled: 2 unpaid of 3 installments voided, 1 paid and not refunded.',
  );
  expect(second.is_closed).toBe(true);
  const again = await routes.cancel(id);
  expect([again.status, again.json.code, again.json.details.status]).toEqual([409, 'plan_not_active', 'cancelled']);
  expect((await routes.nextDue(id)).json.code).toBe('no_installment_due');
  stage.advance(100 * DAY_MS);
  await stage.settle();
  expect(linksOf(payments, id)).toHaveLength(2);
});

test('a payment that has begun before the cancel still counts, and the plan stays cancelled', async () => {
  const id = await routes.given();
  await routes.pay(id);
  await routes.cancel(id);
  await payments.confirm(payments.linkOf(id));
  await stage.settle();
  expect((await routes.get(id)).json).toMatchObject({ status: 'cancelled', paid_count: 1 });
});
