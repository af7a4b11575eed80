/** @landing embedded */
import { callRpc } from '@tender/localnet';
import { changedMessage, freshTestWallet } from '@tender/transactions/testing';
import { signedTransaction as signed } from './checkout/customer-wallet';
import { customersOf, type Token } from './checkout/customers';
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Receiver } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';

const program = sharedProgram();
const customer = program.client();
const { act, statusOf, ended, wallet, build } = customersOf(program, customer);
let receiver: Receiver;
let merchant: Merchant;
let rpc_url: string;

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program);
  await merchant.api.put('/api/v1/merchants/me/webhook', { webhook_url: receiver.url });
  const environment = await program.admin().get('/api/v1/test_helpers/environment');
  ({ rpc_url } = environment.json.networks.test);
});
afterAll(() => receiver.close());

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const newPayment = async (token: Token = 'USDC'): Promise<Json> =>
  (await merchant.api.post('/api/v1/payments', { amount: 10, token })).json;

test.each(['USDC', 'USDT', 'SOL'] as const)(
  'a customer builds, signs and hands in %s, and the payment is confirmed by that transaction',
  async (token) => {
    const payment = await newPayment(token);
    const payer = await wallet({ SOL: 1, USDC: 20, USDT: 20 });
    const built = await build(payment, payer);
    const handed_in = await act(payment, 'submit-transaction', { signed_transaction: signed(built, payer) });
    expect(handed_in).toMatchObject({ status: 200, json: { verification: 'processing' } });
    const { transaction_signature } = handed_in.json;
    expect(await ended(payment)).toEqual({ id: payment.id, status: 'confirmed', transaction_signature });
    // The status of a poller is told before the merchant's row is written.
    await eventually(
      () => merchant.api.get(`/api/v1/payments/${payment.id}`),
      ({ json }) => json.customer_wallet === payer.address,
    );
  },
);

test.each(['USDC', 'USDT', 'SOL'] as const)(
  'in %s without a fee: the service pays it, and sends',
  async (token) => {
    const payment = await newPayment(token);
    const payer = await wallet({ [token]: 20 });
    const built = await build(payment, payer, true);
    expect([built.is_gasless, built.requires_backend_submission]).toEqual([true, true]);
    expect(built.fee_payer).not.toBe(payer.address);
    const body = { signed_transaction: signed(built, payer) };
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => act(payment, 'submit-gasless-transaction', body)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { transaction_signature } = answers[0]?.json;
    expect(await ended(payment)).toEqual({ id: payment.id, status: 'confirmed', transaction_signature });
  },
);

test('who had asked for no fee pays it after all, and the first transaction is worth nothing', async () => {
  const payment = await newPayment();
  const payer = await wallet({ SOL: 1, USDC: 20 });
  const gasless = await build(payment, payer, true);
  const direct = await build(payment, payer);
  expect([gasless.is_gasless, direct.is_gasless]).toEqual([true, false]);
  const old = { signed_transaction: signed(gasless, payer) };
  expect((await act(payment, 'submit-gasless-transaction', old)).status).toBe(400);
  const body = { signed_transaction: signed(direct, payer) };
  expect((await act(payment, 'submit-transaction', body)).status).toBe(200);
  expect((await ended(payment)).status).toBe('confirmed');
});

test('a wallet that sends by itself hands in its signature only', async () => {
  const payment = await newPayment();
  const payer = await wallet({ SOL: 1, USDC: 20 });
  const label = await customer.get(`/api/v1/payments/${payment.id}/transaction-request`);
  expect(label.json.label).toBe('Corner Shop');
  const asked = await act(payment, 'transaction-request', { account: payer.address });
  const wire = signed(asked.json, payer);
  const transaction_signature = await callRpc<string>(rpc_url, 'sendTransaction', wire, { encoding: 'base64' });
  const handed_in = await act(payment, 'submit-transaction', { transaction_signature });
  expect(handed_in.status).toBe(200);
  expect((await ended(payment)).transaction_signature).toBe(transaction_signature);
  const again = await act(payment, 'submit-transaction', { transaction_signature });
  expect(again).toMatchObject({ status: 200, json: { status: 'confirmed' } });
  const other = await act(await newPayment(), 'submit-transaction', { transaction_signature });
  expect([other.status, other.json.code]).toEqual([409, 'signature_already_used']);
});

test('a wallet puts a blockhash of its own in and sends that as well: the second credit is a receipt', async () => {
  const payment = await newPayment();
  const payer = await wallet({ SOL: 1, USDC: 20 });
  const built = await build(payment, payer);
  const { value: newer } = await eventually(
    () => callRpc<Json>(rpc_url, 'getLatestBlockhash'),
    ({ value }) => value.blockhash !== built.recent_blockhash,
  );
  const own = signed(built, payer, (message) =>
    changedMessage(message, { recent_blockhash: newer.blockhash }),
  );
  const body = { signed_transaction: signed(built, payer) };
  const { transaction_signature } = (await act(payment, 'submit-transaction', body)).json;
  expect(await ended(payment)).toEqual({ id: payment.id, status: 'confirmed', transaction_signature });
  const second = await callRpc<string>(rpc_url, 'sendTransaction', own, { encoding: 'base64' });
  const receipts = await eventually(
    () => merchant.api.get(`/api/v1/payments/${payment.id}/receipts`),
    ({ json }) => json.length > 0,
  );
  const { token_amount: amount } = payment;
  expect(receipts.json).toMatchObject([
    { reason: 'duplicate', amount, transaction_signature: second, from_wallet: payer.address },
  ]);
  const told = () => receiver.idsOf('PaymentConfirmed', payment.id).size;
  await receiver.until(() =>
    receiver.events('ReceiptRecorded').some(({ json }) => json.receipt.payment_id === payment.id),
  );
  await receiver.until(() => told() > 0);
  expect(told()).toBe(1);
  expect((await statusOf(payment)).transaction_signature).toBe(transaction_signature);
});

test('what the bound wallet has signed fails on the chain: the payment has failed, and the shop hears of it', async () => {
  const payment = await newPayment();
  const payer = await wallet({ SOL: 1 });
  const built = await build(payment, payer);
  const wire = signed(built, payer);
  const transaction_signature = await callRpc<string>(rpc_url, 'sendTransaction', wire, {
    ...{ encoding: 'base64', skipPreflight: true },
  });
  expect((await act(payment, 'submit-transaction', { transaction_signature })).status).toBe(200);
  expect((await ended(payment)).status).toBe('failed');
  await receiver.until(() =>
    receiver.events('PaymentFailed').some(({ json }) => json.payment.id === payment.id),
  );
  const receipts = await eventually(
    () => merchant.api.get(`/api/v1/payments/${payment.id}/receipts`),
    ({ json }) => json.length > 0,
  );
  expect(receipts.json).toMatchObject([{ reason: 'failed_on_chain', transaction_signature }]);
  const { json: why } = await merchant.api.get(`/api/v1/payments/${payment.id}/explain`);
  expect(why.steps).toContainEqual(
    expect.objectContaining({ transaction_signature, what: 'The payment failed.', slot: expect.any(Number) }),
  );
  const late = await act(payment, 'build-transaction', { payer_wallet: payer.address });
  expect([late.status, late.json.code]).toEqual([409, 'invalid_payment_state']);
});

const WALLET = freshTestWallet().address;
test.each([
  ['build-transaction', {}, 400],
  ['build-transaction', { payer_wallet: WALLET.slice(0, -2) }, 400],
  ['build-transaction', { payer_wallet: '0x52908400098527886E0F7030069857D2E4169EE7' }, 400],
  ['build-transaction', { payer_wallet: '11111111111111111111111111111111' }, 400],
  ['build-transaction', { payer_wallet: 5 }, 400],
  ['build-transaction', { payer_wallet: [WALLET] }, 400],
  ['build-transaction', { payer_wallet: WALLET, prefer_gasless: 'yes' }, 400],
  ['submit-transaction', {}, 400],
  ['submit-transaction', { transaction_signature: 7 }, 400],
  ['submit-transaction', { transaction_signature: '\u0000' }, 400],
  ['submit-transaction', { signed_transaction: 'A'.repeat(8_193) }, 400],
  ['submit-transaction', { signed_transaction: 'A'.repeat(1_000_000) }, 413],
  ['submit-gasless-transaction', {}, 400],
  ['submit-gasless-transaction', { signed_transaction: null }, 400],
  ['transaction-request', { account: 'me' }, 400],
])('77: %s refuses what cannot be read (%#)', async (action, body, status) => {
  const payment = await newPayment();
  const answer = await act(payment, action, body);
  expect([answer.status, typeof answer.json.code]).toEqual([status, 'string']);
  expect(await statusOf(payment)).toMatchObject({ status: 'pending', transaction_signature: null });
});

test('a payment that there is not, or of the other mode, has nothing to build', async () => {
  const { id } = await newPayment();
  const ids = [id.replace('test', 'live'), `${id.slice(0, -4)}0000`];
  for (const one of ids) {
    const answer = await act({ id: one }, 'build-transaction', { payer_wallet: WALLET });
    expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
  }
});

test('a stranger’s failed transfer that names the payment ends nothing', async () => {
  const [payment, others] = [await newPayment(), await newPayment()];
  const [mallory, payer] = [await wallet({ SOL: 1 }), await wallet({ SOL: 1, USDC: 20 })];
  const built = await build(others, mallory);
  await callRpc(rpc_url, 'sendTransaction', signed(built, mallory), {
    ...{ encoding: 'base64', skipPreflight: true },
  });
  const own = await build(payment, payer);
  const foreign = await act(payment, 'build-transaction', { payer_wallet: mallory.address });
  expect([foreign.status, foreign.json.code]).toEqual([409, 'wallet_mismatch']);
  await act(payment, 'submit-transaction', { signed_transaction: signed(own, payer) });
  expect((await ended(payment)).status).toBe('confirmed');
  expect((await statusOf(others)).status).toBe('pending');
});
