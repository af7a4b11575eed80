/** @landing embedded postgres */
// A merchant sends payments back, whole and in parts: the chain, the log and the answers agree to the unit.
import { callRpc } from '@tender/localnet';
import type { Answer } from '../harness/client';
import { testNetwork, usdcOf } from '../harness/customers';
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { fund, operatingWalletOf, refundEnded } from '../harness/operating-wallets';
import { paidPayment, type PaidPayment } from '../harness/paid-payments';
import { Receiver, signedWith } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const program = sharedProgram();
let receiver: Receiver;
let merchant: Merchant;
let operating_wallet: string;
let secret: string;

const get = async (path: string): Promise<Json> => (await merchant.api.get(`/api/v1${path}`)).json;

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program);
  const webhook = { webhook_url: receiver.url };
  const configured = await merchant.api.put('/api/v1/merchants/me/webhook', webhook);
  secret = configured.json.webhook_secret;
  operating_wallet = await operatingWalletOf(merchant);
});
afterAll(() => receiver.close());

const paid = (amount: number, token = 'USDC'): Promise<PaidPayment> =>
  paidPayment(merchant, { amount, token });

const refund = ({ id }: PaidPayment, amount_usd: number, more = {}): Promise<Answer> =>
  merchant.api.post(`/api/v1/payments/${id}/refund`, { amount_usd, ...more });
const refused = ({ status, json }: Answer) => [status, json.code];
const ended = ({ id }: PaidPayment, { json }: Answer): Promise<Json> =>
  refundEnded(program, merchant.api, id, json.id);

/** Asks for a refund, which goes well. */
async function refunded(payment: PaidPayment, amount_usd: number, more = {}): Promise<Json> {
  const asked = await refund(payment, amount_usd, more);
  expect([asked.status, asked.json.status, asked.text]).toEqual([201, 'pending', asked.text]);
  const { id } = asked.json;
  const refund_ended = await ended(payment, asked);
  expect(refund_ended).toMatchObject({ id, status: 'completed', amount_usd, failure_reason: null });
  return refund_ended;
}

const sum = (refunds: readonly Json[]): bigint =>
  refunds.reduce((total: bigint, { token_amount }) => total + BigInt(token_amount), 0n);

/** The completed refunds of a payment as the merchant’s event log tells them, oldest first, once there are so many. */
async function logged({ id }: PaidPayment, count: number): Promise<Json[]> {
  const look = async (): Promise<Json[]> => {
    const { data } = await get('/events?types=RefundCompleted&limit=100');
    const refunds = data.map(({ event }: Json) => event.refund);
    return refunds.filter(({ payment_id }: Json) => payment_id === id);
  };
  return eventually(look, ({ length }) => length >= count);
}

/** What each webhook of a refund showed, by name. */
async function told(id: string, ...names: readonly string[]): Promise<Record<string, Json>> {
  const of_it = () => receiver.deliveries.filter(({ json }) => json?.refund?.id === id);
  const came = (name: string) => of_it().some(({ json }) => json.event === name);
  await receiver.until(() => names.every(came));
  expect(of_it().filter((delivery) => !signedWith(secret, delivery))).toEqual([]);
  // A delivery may repeat: then it is the same event.
  const events = new Map(of_it().map(({ json }) => [json.id, json.event as string]));
  expect([...events.values()].toSorted()).toEqual(names.toSorted());
  return Object.fromEntries(of_it().map(({ json }) => [json.event, json.refund]));
}

test('without money in the operating wallet a refund fails, and what it took is free again', async () => {
  const payment = await paid(6);
  const asked = await refund(payment, 4, { refund_reason: 'Too late', metadata: { order: 'A-1' } });
  expect(asked.status).toBe(201);
  const failed = await ended(payment, asked);
  expect(failed).toMatchObject({
    ...{ id: asked.json.id, status: 'failed', failure_reason: 'insufficient_balance' },
    ...{ reason: 'Too late', metadata: { order: 'A-1' }, completed_at: null },
  });
  const { RefundInitiated, RefundFailed } = await told(
    ...[failed.id, 'RefundInitiated', 'RefundFailed'],
  );
  expect(RefundInitiated).toEqual(asked.json);
  expect(RefundFailed).toEqual(failed);
  expect(await usdcOf(program, payment.payer)).toBe(0n);

  await fund(program, operating_wallet, 100);
  // More than the failed one had left, were it still counted.
  await refunded(payment, 6);
  expect(await usdcOf(program, payment.payer)).toBe(payment.amount);
});

test('in parts, to the last unit and not one more', async () => {
  const payment = await paid(10);
  const first = await refunded(payment, 3.33, { refund_reason: 'One was missing' });
  const { RefundCompleted } = await told(first.id, 'RefundInitiated', 'RefundCompleted');
  expect(RefundCompleted).toEqual(first);
  await refunded(payment, 3.33);
  const too_much = await refund(payment, 3.35);
  expect(refused(too_much)).toEqual([422, 'refund_amount_exceeds_remaining']);
  expect(too_much.json.details).toMatchObject({ remaining_usd: 3.34 });
  await refunded(payment, 3.34);
  expect(refused(await refund(payment, 0.01))).toEqual([409, 'payment_already_refunded']);

  const refunds = await get(`/payments/${payment.id}/refunds`);
  expect(refunds.map(({ amount_usd }: Json) => amount_usd)).toEqual([3.34, 3.33, 3.33]);
  expect(await logged(payment, 3)).toEqual(refunds.toReversed());
  expect(sum(refunds)).toBe(payment.amount);
  expect(await usdcOf(program, payment.payer)).toBe(payment.amount);
});

test('a payment in SOL, in parts that do not divide', async () => {
  const payment = await paid(1, 'SOL');
  await fund(program, operating_wallet, 1, 'SOL');
  const { rpc_url } = await testNetwork(program);
  const has = async () =>
    BigInt((await callRpc<Json>(rpc_url, 'getBalance', payment.payer)).value as number);
  const before = await has();
  for (const part of [0.33, 0.33, 0.34]) await refunded(payment, part);
  const refunds = await get(`/payments/${payment.id}/refunds`);
  expect(refunds).toHaveLength(3);
  expect([sum(refunds), (await has()) - before]).toEqual([payment.amount, payment.amount]);
});

test('asked for twice at once, one begins', async () => {
  const payment = await paid(2);
  const both = await Promise.all([refund(payment, 1), refund(payment, 1)]);
  const began = both.filter(({ status }) => status === 201);
  const other = both.filter(({ status }) => status !== 201);
  expect([began.length, other.map(refused)]).toEqual([1, [[409, 'refund_in_progress']]]);
  await ended(payment, began[0] as Answer);
  expect(await usdcOf(program, payment.payer)).toBe(1_000_000n);
});

test('nothing goes to a customer who was sanctioned meanwhile; once cleared, it does', async () => {
  const payment = await paid(3);
  const arrange = (action: string) =>
    merchant.api.post('/api/v1/test_helpers/screening', { wallet: payment.payer, action });
  expect((await arrange('sanction')).status).toBe(200);
  const asked = await refund(payment, 3);
  const failed = await ended(payment, asked);
  expect(failed).toMatchObject({ id: asked.json.id, failure_reason: 'sanctions_hit' });
  expect((await told(failed.id, 'RefundInitiated', 'RefundFailed'))['RefundFailed']).toEqual(failed);
  expect(await usdcOf(program, payment.payer)).toBe(0n);
  expect((await arrange('clear')).status).toBe(200);
  await refunded(payment, 3);
  expect(await usdcOf(program, payment.payer)).toBe(payment.amount);
});

test('the dashboard finds the ones that failed', async () => {
  const { refunds, total } = await get('/merchants/me/refunds?status=failed');
  expect([refunds.length, total]).toEqual([2, 2]);
  const [{ id }] = refunds;
  expect(await get(`/merchants/me/refunds/${id}`)).toEqual(refunds[0]);
});
