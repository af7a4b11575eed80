/**
 * @landing embedded
 * @program own
 */
import { Keypair } from '@solana/web3.js';
import { eventually } from '../harness/eventually';
import { brokenInvariants } from '../harness/invariants';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';

const DAY_S = 24 * 60 * 60;
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

const seen = async (id: string): Promise<Json> =>
  (await merchant.api.get(`/api/v1/subscriptions/${id}`)).json;
const pay = async (id: string): Promise<Json> => {
  const { status, json } = await program.client().post(`/api/v1/subscriptions/${id}/pay`);
  expect(status).toBe(201);
  const paid = await program.admin().post('/api/v1/test_helpers/pay', { payment_id: json.payment_id });
  expect(paid.status).toBe(200);
  return json;
};
const payPeriod = async (id: string, cycles: number): Promise<Json> => {
  const payment = await pay(id);
  await eventually(() => seen(id), ({ cycles_completed }: Json) => cycles_completed === cycles);
  return payment;
};
/** To a second after that time. */
const advanceTo = async (time: string): Promise<void> => {
  const { json } = await merchant.api.get('/api/v1/test_helpers/environment');
  const seconds = Math.ceil((Date.parse(time) - Date.parse(json.now)) / 1000) + 1;
  const moved = await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds });
  expect(moved.status).toBe(200);
};
/** Once each: an event may come twice, under the same id. */
const told = (id: string): Json[] => [
  ...new Map(
    receiver.deliveries
      .filter(({ json }) => json.subscription?.id === id)
      .map(({ json }) => [json.id as string, json]),
  ).values(),
];

test('a year: a trial, months that are paid, one that fails and recovers, and an end', async () => {
  const plan = await merchant.api.post('/api/v1/subscription-plans', {
    ...{ name: 'Coffee', amount: 9.5, interval: 'Monthly', trial_days: 14, max_cycles: 12 },
  });
  const customer_wallet = Keypair.generate().publicKey.toBase58();
  const created = await program
    .client()
    .post('/api/v1/subscriptions', { plan_id: plan.json.id, customer_wallet });
  expect([created.status, created.json.status, created.json.payment_url]).toEqual([201, 'Trialing', null]);
  const { id, trial_end } = created.json;

  await advanceTo(trial_end);
  const begun = await seen(id);
  expect(begun).toMatchObject({ status: 'Active', current_period_start: trial_end });
  const [waiting] = (await merchant.api.get('/api/v1/payments')).json.data;
  expect(waiting).toMatchObject({ status: 'pending', amount: 9.5 });
  const first = await payPeriod(id, 1);
  expect(first).toMatchObject({ ...waiting, payment_id: waiting.id, period_start: trial_end });

  for (let cycle = 2; cycle <= 12; cycle += 1) {
    await advanceTo((await seen(id)).current_period_end);
    if (cycle === 6) {
      await advanceTo((await seen(id)).next_payment_attempt);
      expect(await seen(id)).toMatchObject({ status: 'PastDue', cycles_completed: 5 });
    }
    await payPeriod(id, cycle);
    expect((await seen(id)).status).toBe('Active');
  }
  const last = await seen(id);
  expect(last.next_payment_attempt).toBeNull();
  await advanceTo(last.current_period_end);
  expect(await seen(id)).toMatchObject({ status: 'Expired', cycles_completed: 12, payment_url: null });

  const over = await program.client().post(`/api/v1/subscriptions/${id}/pay`);
  expect([over.status, over.json.code]).toEqual([409, 'invalid_subscription_state']);
  await receiver.until(() => told(id).length >= 14);
  const names = told(id).map(({ event }) => event as string);
  expect(names.filter((name) => name === 'SubscriptionRenewed')).toHaveLength(12);
  expect(new Set(names)).toEqual(
    new Set(['SubscriptionCreated', 'SubscriptionRenewed', 'SubscriptionPaymentFailed']),
  );
  const failed = told(id).find(({ event }) => event === 'SubscriptionPaymentFailed');
  expect(failed).toMatchObject({
    event_type: 'SubscriptionPaymentFailed',
    subscription: { status: 'PastDue', cycles_completed: 5 },
  });
  const listed = () => merchant.api.get('/api/v1/payments');
  const areOver = ({ json }: Json): boolean => json.data.every(({ status }: Json) => status !== 'pending');
  const { json: payments } = await eventually(listed, areOver);
  const ends = Map.groupBy(payments.data as Json[], ({ status }) => status as string);
  expect([ends.get('confirmed')?.length, ends.get('expired')?.length, ends.size]).toEqual([12, 1, 2]);
});

test('no payment comes: after four attempts it is over, and nothing more is charged', async () => {
  const plan = await merchant.api.post('/api/v1/subscription-plans', {
    ...{ name: 'Tea', amount: 5, billing_interval: 'daily' },
  });
  const customer_wallet = Keypair.generate().publicKey.toBase58();
  const wanted = { plan_id: plan.json.id, customer_wallet };
  const { json } = await merchant.api.post('/api/v1/subscriptions', wanted);
  const payments = async () =>
    (await merchant.api.get('/api/v1/payments')).json.data.filter(({ amount }: Json) => amount === 5);
  const moved = await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: 30 * DAY_S });
  expect(moved.status).toBe(200);
  expect(await seen(json.id)).toMatchObject({
    ...{ status: 'Cancelled', cancellation_reason: 'payment_failed', cycles_completed: 0 },
  });
  expect((await payments()).map(({ status }: Json) => status as string)).toEqual(
    Array(4).fill('expired'),
  );
});

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(program)).toEqual([]);
});
