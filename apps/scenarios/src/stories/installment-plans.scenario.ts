/**
 * @landing embedded postgres
 * @program own
 */
import { Keypair } from '@solana/web3.js';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { brokenInvariants } from '../harness/invariants';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';
import { RUN } from '../harness/running-program';

const DAY_SECONDS = 24 * 60 * 60;
/** Past the time that is due, however long the program was busy. */
const A_LITTLE = 60;
let program: Program;
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  [program, receiver] = await Promise.all([Program.start(), Receiver.start()]);
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;
const PLANS = '/api/v1/installment-plans';

async function newPlan(changes: object): Promise<Json> {
  const customer_wallet = Keypair.generate().publicKey.toBase58();
  const body = { customer_wallet, total_amount: 100, installment_count: 3, ...changes };
  const asked = { payment_frequency_days: 30, ...body };
  const { status, json } = await merchant.api.post(PLANS, asked, idempotencyKey());
  expect(status).toBe(201);
  return json;
}
const planOf = async ({ id }: Json): Promise<Json> =>
  (await merchant.api.get(`${PLANS}/${id}`)).json;
const until = (plan: Json, holds: (now: Json) => boolean): Promise<Json> =>
  eventually(() => planOf(plan), holds);
async function advance(days: number): Promise<void> {
  const seconds = days * DAY_SECONDS + A_LITTLE;
  const { status } = await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds });
  expect(status).toBe(200);
}
async function payOnChain(plan: Json, payment_id: string, paid_count: number): Promise<Json> {
  const { status } = await program.admin().post('/api/v1/test_helpers/pay', { payment_id });
  expect(status).toBe(200);
  return until(plan, (now) => now.paid_count === paid_count);
}
/** The subjects of all mails that a customer was sent, by the alphabet. Services send by a mail server: no inbox. */
async function mailed(email: string, subjects: readonly string[]): Promise<void> {
  if (RUN !== 'embedded') return;
  const path = `/api/v1/test_helpers/emails?to=${encodeURIComponent(email)}`;
  const { json } = await eventually(
    () => merchant.api.get(path),
    ({ json: mails }) => mails.length >= subjects.length,
  );
  expect(json.map(({ subject }: Json) => subject as string).toSorted()).toEqual(subjects);
}
/** What the merchant was told of a plan, oldest first. An event may come twice, under the same id. */
async function told({ id }: Json, count: number): Promise<Json[]> {
  const heard = () => [
    ...new Map(
      receiver.deliveries
        .filter(({ json }) => json.installment_plan?.installment_plan_id === id)
        .map(({ json }) => [json.id as string, json]),
    ).values(),
  ];
  await receiver.until(() => heard().length >= count);
  return heard().toSorted((one, other) => one.resource_version - other.resource_version);
}
const shown = ({ event, installment_plan: plan }: Json): readonly unknown[] => [
  ...[event, plan.installment_number, plan.installment_amount, plan.paid_installments, plan.status],
];

test('a plan is paid on its dates and ahead of them, each share once, and is completed', async () => {
  const customer_email = 'ada.in.time@tender.test';
  const mails = [
    'Installment 1 of 3 to Corner Shop',
    ...['Installment 2 of 3 to Corner Shop', 'Installment 2 of 3 to Corner Shop'],
    'Installment 3 of 3 to Corner Shop',
    expect.stringMatching(/^Installment 3 of 3 to Corner Shop is due on \d/) as string,
  ];
  const plan = await newPlan({ description: 'A bicycle', customer_email });
  expect(plan.payment_schedule.map(({ amount }: Json) => amount as number)).toEqual([
    ...[33.33, 33.33, 33.34],
  ]);
  await advance(1);
  const due = await until(plan, (now) => now.payment_schedule[0].payment_id !== null);
  const [first] = due.payment_schedule;
  const page = await program.client().get(new URL(first.payment_url as string).pathname);
  expect(page.status).toBe(200);
  expect(page.text).toContain('A bicycle (1/3)');
  // Before it is paid: what is paid is asked for by no mail.
  await mailed(customer_email, mails.slice(0, 1));
  await payOnChain(plan, first.payment_id as string, 1);

  const ahead = await merchant.api.post(`${PLANS}/${plan.id}/pay`, {}, idempotencyKey());
  expect([ahead.status, ahead.json.installment_number]).toEqual([201, 2]);
  const again = await merchant.api.post(`${PLANS}/${plan.id}/pay`, {}, idempotencyKey());
  expect(again.json.payment_id).toBe(ahead.json.payment_id);
  await mailed(customer_email, mails.slice(0, 3));
  await payOnChain(plan, ahead.json.payment_id as string, 2);

  await advance(60);
  const last = await until(plan, (now) => now.payment_schedule[2].payment_id !== null);
  await mailed(customer_email, mails);
  const ended = await payOnChain(plan, last.payment_schedule[2].payment_id as string, 3);
  expect([ended.status, typeof ended.completed_at]).toEqual(['completed', 'string']);
  const events = await told(plan, 4);
  expect(events.map(shown)).toEqual([
    ['InstallmentPaid', 1, 33.33, 1, 'active'],
    ['InstallmentPaid', 2, 33.33, 2, 'active'],
    ['InstallmentPaid', 3, 33.34, 3, 'active'],
    ['InstallmentPlanCompleted', 3, 33.34, 3, 'completed'],
  ]);
  const listed = () => merchant.api.get('/api/v1/payments?status=confirmed');
  const { json: payments } = await eventually(listed, ({ json }) => json.data.length >= 3);
  expect(payments.data).toHaveLength(3);
});

test('a plan that is not paid is late with its fee, once, and defaults when the grace is over', async () => {
  const customer_email = 'ada.too.late@tender.test';
  const plan = await newPlan({ grace_period_days: 3, late_fee_amount: 5, customer_email });
  await advance(1);
  const due = await until(plan, (now) => now.payment_schedule[0].payment_id !== null);
  await advance(1);
  const { payment_id: in_time } = due.payment_schedule[0];
  const is_charged_anew = ({ payment_schedule: [{ payment_id }] }: Json) =>
    ![null, in_time].includes(payment_id);
  const late = await until(plan, is_charged_anew);
  expect(late.payment_schedule[0]).toMatchObject({ status: 'late', amount: 38.33 });
  const former = await merchant.api.get(`/api/v1/payments/${in_time}`);
  expect(former.json).toMatchObject({ status: 'expired', amount: 33.33 });

  await advance(60);
  const ended = await until(plan, ({ status }) => status === 'defaulted');
  const code = (late.payment_schedule[0].payment_url as string).split('/').at(-1);
  const gone = await eventually(
    () => program.client().post(`/api/v1/payment-links/${code}/pay`),
    ({ status }) => status === 410,
  );
  expect(gone.json.code).toBe('payment_link_closed');
  const pay = await merchant.api.post(`${PLANS}/${plan.id}/pay`, {}, idempotencyKey());
  expect([pay.status, pay.json.code]).toEqual([409, 'plan_not_active']);
  const events = await told(plan, 2);
  expect(events.map(shown)).toEqual([
    ['InstallmentLate', 1, 38.33, 0, 'active'],
    ['InstallmentDefaulted', 1, 38.33, 0, 'defaulted'],
  ]);
  await mailed(customer_email, [
    'Installment 1 of 3 to Corner Shop',
    'Installment 1 of 3 to Corner Shop is late',
    'Installment 1 of 3 to Corner Shop is late',
  ]);
  const after_ms = Date.parse(ended.defaulted_at) - Date.parse(plan.first_payment_date);
  expect(after_ms).toBe(3 * DAY_SECONDS * 1000);
});

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(program)).toEqual([]);
});
