import { describePayment } from '@tender/contracts';
import type { StreamName } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const MERCHANT = { merchant_id: 'm1', merchant_name: 'Shop', wallet: 'W1' };

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
});
afterAll(() => stage?.close());

const get = (path: string) => stage.send('GET', path, stage.caller(MERCHANT));
const newPayment = async () => {
  const body = { amount: 10, webhook_url: 'https://shop.example.com/own' };
  const { json } = await stage.send('POST', '/api/v1/payments', stage.caller(MERCHANT), body);
  return json;
};
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Payment = any;

const watch = ({ id }: Payment): StreamName => `watch.test-${id}`;
const credit = (payment: Payment, changes: object = {}) =>
  stage.say(watch(payment), 'chain-indexer.credit-allocated.v1', {
    payment_id: payment.id,
    merchant_id: 'm1',
    token: 'USDC',
    token_mint: 'MintUsdc',
    amount: '10000000',
    transaction_signature: `S-${payment.id}`,
    from_wallet: 'C1',
        wallet: 'W1',
    block_time: payment.created_at,
    ...changes,
  });
const close = (payment: Payment) =>
  stage.say(watch(payment), 'chain-indexer.watch-closed.v1', {
    payment_id: payment.id,
    merchant_id: 'm1',
    watermark: new Date(Date.parse(payment.expires_at) + 400).toISOString(),
  });
const read = async (payment: Payment) => (await get(`/api/v1/payments/${payment.id}`)).json;
const receiptsOf = async (payment: Payment) =>
  (await get(`/api/v1/payments/${payment.id}/receipts`)).json;

test('a credit confirms and settles; the status of a poller follows', async () => {
  const payment = await newPayment();
  const status = async () => (await get(`/api/v1/payments/${payment.id}/status`)).json;
  expect(await status()).toEqual({
    id: payment.id,
    status: 'pending',
    transaction_signature: null,
  });
  await credit(payment);
  await stage.settle();
  expect(await read(payment)).toMatchObject({
    status: 'confirmed',
    transaction_signature: `S-${payment.id}`,
    customer_wallet: 'C1',
    confirmed_at: payment.created_at,
  });
  const events = await stage.runtime.eventStore.load(`payment.test-${payment.id}`);
  expect(events.map(({ type }) => type)).toEqual([
    'PaymentCreated',
    'PaymentConfirmed',
    'PaymentSettled',
  ]);
  while ((await status()).status !== 'confirmed') {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(await status()).toEqual({
    id: payment.id,
    status: 'confirmed',
    transaction_signature: `S-${payment.id}`,
  });
  expect(await receiptsOf(payment)).toEqual([]);
});

test('many polls of an unknown payment at once all get 404', async () => {
  const path = `/api/v1/payments/pay_test_${'1'.repeat(22)}/status`;
  const polls = await Promise.all(Array.from({ length: 20 }, () => get(path)));
  expect(new Set(polls.map(({ status }) => status))).toEqual(new Set([404]));
});

test('a credit in time wins over the close that follows it, also in one batch', async () => {
  const payments = await Promise.all(Array.from({ length: 20 }, newPayment));
  await Promise.all(
    payments.map(async (payment) => {
      await credit(payment);
      await close(payment);
    }),
  );
  await stage.settle();
  const read_all = await Promise.all(payments.map(read));
  expect(new Set(read_all.map(({ status }) => status))).toEqual(new Set(['confirmed']));
});

test('the close of the watch expires; money that comes later is a late receipt', async () => {
  const payment = await newPayment();
  await close(payment);
  await stage.settle();
  expect((await read(payment)).status).toBe('expired');
  await credit(payment, { block_time: '2099-01-01T00:00:00.000Z' });
  await stage.settle();
  expect((await read(payment)).status).toBe('expired');
  expect(await receiptsOf(payment)).toMatchObject([{ reason: 'late', amount: '10000000' }]);
});

test('what is over the due, and a second payment, are receipts, once each', async () => {
  const payment = await newPayment();
  await credit(payment, { amount: '10000001' });
  await credit(payment, { amount: '10000001' });
  await credit(payment, { transaction_signature: 'S-second' });
  await stage.settle();
  const receipts = await receiptsOf(payment);
  expect(receipts).toHaveLength(2);
  expect(receipts).toEqual(
    expect.arrayContaining([
      {
        id: expect.stringMatching(/^rcpt_test_[0-9A-Za-z]{22}$/) as string,
        payment_id: payment.id,
        reason: 'surplus',
        token: 'USDC',
        token_mint: 'MintUsdc',
        amount: '1',
        transaction_signature: `S-${payment.id}`,
        from_wallet: 'C1',
        wallet: 'W1',
        block_time: payment.created_at,
        created_at: expect.any(String) as string,
        ...{ resolution: null, resolution_note: null, resolved_at: null },
      },
      expect.objectContaining({ reason: 'duplicate', transaction_signature: 'S-second' }),
    ]),
  );
});

test.each([
  ['short', { amount: '9999999' }],
  ['wrong_mint', { token_mint: 'Fake' }],
])('a credit that is %s leaves the payment pending and is recorded', async (reason, changes) => {
  const payment = await newPayment();
  await credit(payment, changes);
  await stage.settle();
  expect((await read(payment)).status).toBe('pending');
  expect(await receiptsOf(payment)).toMatchObject([{ reason, payment_id: payment.id }]);
});

test('a credit of a payment that never was is parked, and holds up no other', async () => {
  const [payment, nobody] = [await newPayment(), { id: `pay_test_${'2'.repeat(22)}` }];
  await credit(nobody);
  await credit(payment);
  await stage.settle();
  expect((await read(payment)).status).toBe('confirmed');
  const parked = await stage.runtime.readModels.query('select key from payments.parked');
  expect(parked).toEqual([{ key: watch(nobody) }]);
});

test('money that the indexer found without a payment is a receipt of the merchant', async () => {
  const money = {
    merchant_id: 'm1',
    payment_id: null,
    reason: 'no_reference',
    token: 'SOL',
    token_mint: null,
    account: 'W1',
    amount: '5',
    transaction_signature: 'S-none',
    from_wallet: null,
    block_time: '2026-01-01T00:00:00.000Z',
    shared_wallet: true,
  };
  await stage.say('money.test-1', 'chain-indexer.money-received.v1', money);
  await stage.say('money.test-1', 'chain-indexer.money-received.v1', money);
  await stage.settle();
  const list = await get('/api/v1/receipts?reason=no_reference');
  expect(list.headers['x-total-count']).toBe('1');
  expect(list.json).toMatchObject([
    { payment_id: null, reason: 'no_reference', amount: '5', shared_wallet: true },
  ]);
  expect((await get('/api/v1/receipts')).json.length).toBeGreaterThan(1);
});

test('other contexts can ask what a payer must know', async () => {
  const payment = await newPayment();
  const { calls } = stage.runtime;
  const asking = { mode: 'test', correlation_id: 'c-1' } as const;
  expect(await calls.ask(describePayment, { payment_id: payment.id }, asking)).toEqual({
    payment_id: payment.id,
    merchant_id: 'm1',
    mode: 'test',
    token: 'USDC',
    token_amount: '10000000',
    wallet_address: 'W1',
    reference: payment.reference,
    return_url: null,
    cancel_url: null,
  });
  expect(await calls.ask(describePayment, { payment_id: 'nobody' }, asking)).toBeNull();
});
