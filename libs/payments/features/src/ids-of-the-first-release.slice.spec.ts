import type { ReceiptAnswer } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { idCharacters } from '@tender/kernel';
import payments from '../../domain/src/recorded/payment-v1.json';
import receipts from '../../domain/src/recorded/receipt-v1.json';
import { paymentsStage } from './testing/payments-stage';

const { terms } = payments.PaymentCreated.data;
const { payment_id, merchant_id } = terms;
const STREAM = `payment.test-${payment_id}` as const;

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
  const { PaymentCreated, PaymentConfirmed, PaymentSettled } = payments;
  for (const { type, data } of [PaymentCreated, PaymentConfirmed, PaymentSettled]) {
    await stage.say(STREAM, type, data);
  }
  const { type, data } = receipts.ReceiptRecorded;
  await stage.say(`receipt.test-${data.receipt_id}`, type, data);
  await stage.settle();
});
afterAll(() => stage?.close());

const get = async (path: string) =>
  stage.send('GET', path, stage.caller({ merchant_id, merchant_name: 'Shop' }));
const receiptsOf = async (signature: string): Promise<ReceiptAnswer[]> => {
  const { json } = await get('/api/v1/receipts');
  return (json as ReceiptAnswer[]).filter((one) => one.transaction_signature === signature);
};

test('a payment and its receipts are found by the ids that they have', async () => {
  expect((await get(`/api/v1/payments/${payment_id}`)).json).toMatchObject({
    id: payment_id,
    status: 'confirmed',
  });
  const { json } = await get(`/api/v1/payments/${payment_id}/receipts`);
  expect(json).toMatchObject([{ id: 'rcpt_0000000000000000000007' }]);
});

test('a credit that the indexer publishes again settles nothing anew', async () => {
  const { transaction_signature, customer_wallet, received } =
    payments.PaymentConfirmed.data.confirmation;
  await stage.say(`watch.test-${payment_id}`, 'chain-indexer.credit-allocated.v1', {
    payment_id,
    merchant_id,
    token: terms.token,
    token_mint: terms.token_mint,
    amount: received,
    transaction_signature,
    from_wallet: customer_wallet,
    block_time: terms.created_at,
  });
  await stage.settle();
  const events = await stage.runtime.eventStore.load(STREAM);
  expect(events.map(({ type }) => type)).toEqual([
    'PaymentCreated',
    'PaymentConfirmed',
    'PaymentSettled',
  ]);
});

test('money that was recorded then and is published again is shown once, under the id that it had', async () => {
  const money = {
    merchant_id,
    payment_id: null,
    reason: 'no_reference',
    token: 'SOL',
    token_mint: null,
    account: 'W1',
    amount: '5',
    transaction_signature: 'S-of-then',
    from_wallet: null,
    block_time: '2026-01-01T00:00:00.000Z',
    shared_wallet: false,
  };
  // What the first release derived the id from, word for word.
  const identity = `receipt|test|S-of-then|W1||${merchant_id}||no_reference`;
  const id = `rcpt_${idCharacters(stage.runtime.keyRing.idBytes(identity))}`;
  await stage.say(`receipt.test-${id}`, 'ReceiptRecorded', {
    ...receipts.ReceiptRecorded.data,
    ...money,
    receipt_id: id,
    webhook_url: null,
  });
  await stage.say('money.test-1', 'chain-indexer.money-received.v1', money);
  const new_money = { ...money, transaction_signature: 'S-of-now' };
  for (let time = 1; time <= 2; time += 1) {
    await stage.say('money.test-1', 'chain-indexer.money-received.v1', new_money);
  }
  await stage.settle();
  expect(await receiptsOf('S-of-then')).toMatchObject([{ id }]);
  expect(await receiptsOf('S-of-now')).toMatchObject([
    { id: expect.stringMatching(/^rcpt_test_[0-9A-Za-z]{22}$/) as string },
  ]);
});
