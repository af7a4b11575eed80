import type { ContextStage } from '@tender/runtime/testing';
import { paymentsStage } from '../testing/payments-stage';

const MERCHANT = { merchant_id: 'm1', merchant_name: 'Shop', wallet: 'W1' };
const UNRESOLVED = { resolution: null, resolution_note: null, resolved_at: null };

let stage: ContextStage;
beforeAll(async () => {
  stage = await paymentsStage();
});
afterAll(() => stage?.close());

const caller = (changes: object = {}) => stage.caller({ ...MERCHANT, ...changes });
const get = (path: string) => stage.send('GET', `/api/v1${path}`, caller());
const resolve = (id: string, body: object, changes: object = {}) =>
  stage.send('POST', `/api/v1/receipts/${id}/resolve`, caller(changes), body);
const unpaid = { account: 'W1', token: 'SOL', token_mint: null, from_wallet: null, shared_wallet: false };

/** A receipt of money that the indexer found, of a payment where one is named. */
async function newReceipt(signature: string, payment_id: string | null = null) {
  await stage.say(`money.test-${signature}`, 'chain-indexer.money-received.v1', {
    ...{ ...unpaid, merchant_id: 'm1', payment_id, amount: '5', transaction_signature: signature },
    reason: payment_id ? 'short' : 'no_reference',
    block_time: '2026-01-01T00:00:00.000Z',
  });
  await stage.settle();
  const { json } = await get('/receipts');
  const isIt = (one: { transaction_signature: string }) => one.transaction_signature === signature;
  return json.find(isIt);
}

test('a receipt is accepted once, with what the merchant says of it', async () => {
  const receipt = await newReceipt('S-1');
  expect(receipt).toMatchObject(UNRESOLVED);
  const { status, json } = await resolve(receipt.id, { action: 'accept', note: 'A gift' });
  expect(status).toBe(200);
  expect(json).toEqual({
    ...receipt,
    resolution: 'accepted',
    resolution_note: 'A gift',
    resolved_at: expect.any(String) as string,
  });
  const again = await resolve(receipt.id, { action: 'accept' });
  expect([again.status, again.json.code]).toEqual([409, 'receipt_already_resolved']);
  const refunded = await resolve(receipt.id, { action: 'refund' });
  expect([refunded.status, refunded.json.code]).toEqual([409, 'receipt_already_resolved']);
});

test('the same request again is the same resolution', async () => {
  const { id } = await newReceipt('S-2');
  const repeat = { command_id: 'c-1' };
  const first = await resolve(id, { action: 'accept' }, repeat);
  const again = await resolve(id, { action: 'accept' }, repeat);
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test('money that Tender does not sign for is not refunded, and stays to be accepted', async () => {
  const { id } = await newReceipt('S-3');
  const refused = await resolve(id, { action: 'refund' });
  expect([refused.status, refused.json.code]).toEqual([409, 'receipt_not_refundable']);
  expect((await resolve(id, { action: 'accept' })).status).toBe(200);
});

test('a stranger, the other mode and an unknown id get the same 404', async () => {
  const { id } = await newReceipt('S-4');
  const answers = [
    await resolve(id, { action: 'accept' }, { merchant_id: 'm2' }),
    await resolve(id, { action: 'accept' }, { mode: 'live' }),
    await resolve(`rcpt_test_${'0'.repeat(22)}`, { action: 'accept' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});

test('lists tell what is resolved from what is not', async () => {
  const { json: payment } = await stage.send('POST', '/api/v1/payments', caller(), { amount: 10 });
  const [one, other] = [await newReceipt('S-5', payment.id), await newReceipt('S-6', payment.id)];
  const resolved = await resolve(one.id, { action: 'accept' });
  await stage.settle();
  const of_payment = `/payments/${payment.id}/receipts`;
  expect((await get(`${of_payment}?resolved=true`)).json).toEqual([resolved.json]);
  expect((await get(`${of_payment}?resolved=false`)).json).toEqual([other]);
  expect((await get('/receipts?resolved=true&reason=short')).json).toEqual([resolved.json]);
  const open = await get('/receipts?resolved=false&reason=short');
  expect([open.json, open.headers['x-total-count']]).toEqual([[other], '1']);
});

