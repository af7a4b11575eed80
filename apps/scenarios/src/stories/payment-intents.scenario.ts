/** @landing embedded postgres */
import { Keypair } from '@solana/web3.js';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { sharedProgram } from '../harness/running-program';
import { Receiver } from '../harness/receiver';
import { newMerchant, type Merchant } from '../harness/merchants';

const program = sharedProgram();
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(() => receiver.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const newIntent = async (body: object): Promise<Json> => {
  const { status, json } = await merchant.api.post('/api/v1/payment-intents', body, idempotencyKey());
  expect(status).toBe(201);
  return json;
};
const confirm = ({ id, client_secret }: Json, key = idempotencyKey()) => {
  const customer_wallet = Keypair.generate().publicKey.toBase58();
  const body = { customer_wallet, client_secret, auto_gasless: true };
  return merchant.api.post(`/api/v1/payment-intents/${id}/confirm`, body, key);
};
const endOf = async ({ id }: Json): Promise<Json> => {
  const path = `/api/v1/payment-intents/${id}`;
  const isOver = ({ json }: Json) => /succeeded|failed|expired|canceled/.test(json.status as string);
  return (await eventually(() => merchant.api.get(path), isOver)).json;
};
/** An event may come twice, under the same id. */
const told = ({ id }: Json): Json[] => [
  ...new Map(
    receiver.deliveries
      .filter(({ json }) => json.payment_intent?.id === id)
      .map(({ json }) => [json.id as string, json]),
  ).values(),
];
/** What merchants hear is what the history shows, under the same ids. */
async function sameAsTold(intent: Json, names: readonly string[]): Promise<void> {
  await receiver.until(() => told(intent).length >= names.length);
  const { json } = await merchant.api.get(`/api/v1/payment-intents/${intent.id}/events`);
  expect(json.map(({ event_type }: Json) => event_type as string)).toEqual(names);
  const shown = json.map(({ id, event_type, data }: Json) => [id, event_type, data]);
  const heard = told(intent).map(({ id, event, payment_intent }) => [id, event, payment_intent]);
  expect(heard).toHaveLength(shown.length);
  expect(heard).toEqual(expect.arrayContaining(shown));
}

test('an intent that is confirmed and paid has succeeded, by one payment however often it is confirmed', async () => {
  const intent = await newIntent({ amount: 4, description: 'Ticket', metadata: { seat: 7 } });
  const key = idempotencyKey();
  const confirmed = await confirm(intent, key);
  expect(confirmed.status).toBe(200);
  const { payment_id, next_action } = confirmed.json;
  expect(next_action).toMatchObject({ type: 'sign_transaction', transaction: expect.any(String) as string });
  const again = await confirm(intent);
  expect([again.status, again.json.code]).toEqual([409, 'invalid_intent_state']);
  expect(again.json.details).toMatchObject({ status: 'processing', payment_id });

  const paid = await program.admin().post('/api/v1/test_helpers/pay', { payment_id });
  expect(paid.status).toBe(200);
  const done = await endOf(intent);
  expect(done).toMatchObject({
    ...{ status: 'succeeded', payment_id, transaction_signature: paid.json.signature },
    ...{ metadata: { seat: 7 }, failure_reason: null },
  });
  const canceled = await merchant.api.post(`/api/v1/payment-intents/${intent.id}/cancel`);
  expect([canceled.status, canceled.json.details.status]).toEqual([409, 'succeeded']);
  // The list follows the log by itself: the intent may be ahead of it.
  const listed = () => merchant.api.get('/api/v1/payments');
  const isConfirmed = ({ json }: Json): boolean => json.data.some(({ status }: Json) => status === 'confirmed');
  const { json: payments } = await eventually(listed, isConfirmed);
  expect(payments.data.map((one: Json) => [one.id, one.payment_intent_id, one.status])).toEqual([
    [payment_id, intent.id, 'confirmed'],
  ]);
  await sameAsTold(intent, [
    ...['PaymentIntentCreated', 'PaymentIntentRequiresPayment', 'PaymentIntentSucceeded'],
  ]);
  expect(JSON.stringify(receiver.deliveries)).not.toContain(intent.client_secret);
});

test('an intent that is not confirmed in time expires, and its merchant hears of it', async () => {
  const intent = await newIntent({ amount: 4, expires_in_seconds: 1 });
  expect(await endOf(intent)).toMatchObject({ status: 'expired', failure_reason: 'expired' });
  const late = await confirm(intent);
  expect([late.status, late.json.code]).toEqual([409, 'invalid_intent_state']);
  await sameAsTold(intent, [
    ...['PaymentIntentCreated', 'PaymentIntentRequiresPayment', 'PaymentIntentFailed'],
  ]);
});
