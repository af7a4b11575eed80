/** @landing embedded postgres eventstore */
import type { Answer } from '../harness/client';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { sharedProgram } from '../harness/running-program';
import { Receiver, signedWith } from '../harness/receiver';
import { liveKey, newMerchant, type Merchant } from '../harness/merchants';

const program = sharedProgram();
let receiver: Receiver;
let merchant: Merchant;
let secret: string;

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program);
  const configured = await merchant.api.put('/api/v1/merchants/me/webhook', {
    webhook_url: receiver.url,
  });
  expect(configured.status).toBe(200);
  secret = configured.json.webhook_secret;
});

afterAll(() => receiver.close());

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

  const listening = `/api/v1/payments/${id}/status/stream`;
  const heard = program.client().get(listening);
  const transfer = await merchant.api.post('/api/v1/test_helpers/pay', { payment_id: id });
  expect(transfer.status).toBe(200);

  const payment = await eventually(() => merchant.api.get(`/api/v1/payments/${id}`), paid);
  expect(payment.json.transaction_signature).toBe(transfer.json.signature);
  expect(payment.json.customer_wallet).toBe(transfer.json.wallet);
  const last = (await heard).text.split('\n\n').at(-2) as string;
  expect(last).toContain(`"confirmed","transaction_signature":"${transfer.json.signature}"`);
  const [, last_id = ''] = /^id: (\d+)$/m.exec(last) ?? [];
  const again = await program.client().get(listening, { 'last-event-id': last_id });
  expect([again.status, again.text]).toEqual([204, '']);

  // An event may come twice, under the same id.
  const ours = () => [
    ...new Map(
      receiver.deliveries
        .filter(({ json }) => json.payment?.id === id)
        .map((delivery) => [delivery.json.id as string, delivery]),
    ).values(),
  ];
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
  );
  expect(payment.json.mode).toBe('live');
  const foreign = await merchant.api.get(`/api/v1/payments/${created.json.id}`);
  expect(foreign.status).toBe(404);
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

  const why = async () => (await merchant.api.get(`/api/v1/payments/${id}/explain`)).json;
  const open = await eventually(
    why,
    ({ looked_for }) => (looked_for.up_to ?? '') > created.json.created_at,
  );
  expect(open.looked_for).toMatchObject({ reference: created.json.reference });
  expect(open.looked_for.accounts).toHaveLength(2);

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
  const { status, steps } = await why();
  expect(status).toBe('confirmed');
  const of_chain = steps.filter(({ slot }: { slot: number | null }) => slot !== null);
  expect(of_chain.map(({ verdict }: { verdict: string }) => verdict).sort()).toEqual([
    ...['duplicate', 'paid', 'settled', 'short', 'surplus', 'wrong_mint'],
  ]);
});
