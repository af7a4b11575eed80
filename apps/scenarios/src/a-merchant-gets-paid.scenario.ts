import type { Answer } from './client';
import { idempotencyKey } from './client';
import { eventually } from './eventually';
import { Program } from './program';
import { Receiver, signedWith } from './receiver';
import { liveKey, newMerchant, type Merchant } from './story';

let program: Program;
let receiver: Receiver;
let merchant: Merchant;
let secret: string;

beforeAll(async () => {
  [program, receiver] = await Promise.all([Program.start(), Receiver.start()]);
  merchant = await newMerchant(program);
  const configured = await merchant.api.put('/api/v1/merchants/me/webhook', {
    webhook_url: receiver.url,
  });
  expect(configured.status).toBe(200);
  secret = configured.json.webhook_secret;
});

afterAll(async () => {
  await receiver.close();
  await program.discard();
});

const paid = ({ json }: Answer) => json.status === 'confirmed';

test.each([
  ['USDC', { amount: 12.5 }],
  ['USDT', { amount: 3, token: 'USDT' }],
  ['SOL', { amount: 30, token: 'SOL' }],
  ['EUR in USDC', { amount: 10, currency: 'EUR' }],
  ['GBP in SOL', { amount: 8.99, currency: 'GBP', token: 'SOL' }],
])('a transfer of %s confirms the payment and tells the merchant', async (_, order) => {
  const created = await merchant.api.post(
    '/api/v1/payments',
    { ...order, metadata: { order: '42' } },
    idempotencyKey(),
  );
  expect(created.status).toBe(200);
  const { id } = created.json;
  expect(created.json.status).toBe('pending');
  expect(created.json.qr_code).toMatch(/^solana:/);

  const transfer = await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
  expect(transfer.status).toBe(200);

  const payment = await eventually(() => merchant.api.get(`/api/v1/payments/${id}`), paid);
  expect(payment.json.transaction_signature).toBe(transfer.json.signature);
  expect(payment.json.customer_wallet).toBe(transfer.json.wallet);

  const ours = () => receiver.deliveries.filter(({ json }) => json.payment?.id === id);
  await receiver.until(() => ours().length >= 3);
  expect(ours().map(({ json }) => json.event)).toEqual([
    'PaymentCreated',
    'PaymentConfirmed',
    'SettlementCompleted',
  ]);
  expect(ours().every((delivery) => signedWith(secret, delivery))).toBe(true);
  expect(ours().map(({ json }) => json.resource_version)).toEqual([1, 2, 3]);
});

test('live payments live on the live chain, and confirm at its finality', async () => {
  const live = await liveKey(program, merchant);
  const created = await live.post('/api/v1/payments', { amount: 5 });
  expect(created.json.id).toMatch(/^pay_live_/);
  expect(created.headers['x-svc-mode']).toBe('live');
  await program.admin().post('/api/v1/test_helpers/pay', { payment_id: created.json.id });
  const payment = await eventually(
    () => live.get(`/api/v1/payments/${created.json.id}`),
    paid,
    60_000,
  );
  expect(payment.json.mode).toBe('live');
  const foreign = await merchant.api.get(`/api/v1/payments/${created.json.id}`);
  expect(foreign.status).toBe(404);
});

test('a payment that nobody pays expires when the chain has passed its time', async () => {
  const created = await merchant.api.post('/api/v1/payments', { amount: 7 });
  const moved = await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: 1000 });
  expect(moved.status).toBe(200);
  const payment = await merchant.api.get(`/api/v1/payments/${created.json.id}`);
  expect(payment.json.status).toBe('expired');
  expect(receiver.events('PaymentExpired').map(({ json }) => json.payment.id)).toContain(
    created.json.id,
  );
});

test('on a long way it expires in its second, and what it makes due runs on the way', async () => {
  const created = await merchant.api.post('/api/v1/payments', { amount: 7 });
  const { id, expires_at } = created.json;
  const ours = () => receiver.events('PaymentExpired').filter(({ json }) => json.payment.id === id);
  receiver.answerWith(({ json }, response) => {
    response.statusCode = json.payment?.id === id && ours().length < 4 ? 500 : 200;
    response.end();
  });
  const moved = await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: 5400 });
  expect(moved.status).toBe(200);
  expect(ours()).toHaveLength(4);
  const late_ms = Date.parse(ours()[0]?.json.timestamp) - Date.parse(expires_at);
  // Time goes on while the program does its work; what is not stopped for is late by minutes.
  expect(Math.abs(late_ms)).toBeLessThan(60_000);
});

test('money that pays nothing is a receipt, never a confirmation', async () => {
  const created = await merchant.api.post('/api/v1/payments', { amount: 20 });
  const { id } = created.json;
  const pay = (extra: object) =>
    merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id, ...extra });
  await pay({ amount: 19.999999 });
  await pay({ token: 'USDT', amount: 20 });
  const receipts = () => merchant.api.get(`/api/v1/payments/${id}/receipts`);
  const two = await eventually(receipts, ({ json }) => json.length === 2);
  expect(two.json.map(({ reason }: { reason: string }) => reason).sort()).toEqual([
    'short',
    'wrong_mint',
  ]);
  expect((await merchant.api.get(`/api/v1/payments/${id}`)).json.status).toBe('pending');

  await pay({ amount: 25 });
  await eventually(() => merchant.api.get(`/api/v1/payments/${id}`), paid);
  await pay({});
  const four = await eventually(receipts, ({ json }) => json.length === 4);
  const byReason = Object.fromEntries(
    four.json.map((receipt: { reason: string; amount: string }) => [
      receipt.reason,
      receipt.amount,
    ]),
  );
  expect(byReason).toMatchObject({ surplus: '5000000', duplicate: '20000000' });
});
