import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestedTransfer } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { PlayedTransfers } from '../testing/played-transfers';
import { fateOf } from '../testing/payment-fates';
import { paymentsStage } from '../testing/payments-stage';

const MERCHANT = { merchant_id: 'm1', merchant_name: 'Shop', wallet: 'OwnWallet' };

let stage: ContextStage;
let treasury: PlayedTransfers;
beforeEach(async () => {
  stage = await paymentsStage();
  treasury = new PlayedTransfers(stage, 'OperatingWallet');
});
afterEach(() => stage.close());

const caller = (changes: object = {}) => stage.caller({ ...MERCHANT, ...changes });
const get = (path: string) => stage.send('GET', `/api/v1${path}`, caller());
const resolve = (id: string, body: object, changes: object = {}) =>
  stage.send('POST', `/api/v1/receipts/${id}/resolve`, caller(changes), body);

const STRANGERS_MONEY = {
  ...{ merchant_id: 'm1', payment_id: null, reason: 'no_reference', shared_wallet: false },
  ...{ account: 'A1', wallet: 'OperatingWallet', token: 'USDC', token_mint: 'MintUsdc' },
  ...{ amount: '5000000', from_wallet: 'C1', block_time: '2026-01-01T00:00:00.000Z' },
};

/** A receipt of money that the indexer found in a wallet of the merchant. */
async function newReceipt(transaction_signature: string, changes: object = {}) {
  const money = { ...STRANGERS_MONEY, transaction_signature, ...changes };
  const stream = `money.test-${transaction_signature}-${money.token}` as const;
  await stage.say(stream, 'chain-indexer.money-received.v1', money);
  await stage.settle();
  return receiptOf(transaction_signature, money.token);
}

async function receiptOf(signature: string, token: string | null = 'USDC') {
  const { json } = await get('/receipts?limit=100');
  const isIt = (one: { transaction_signature: string; token: string | null }) =>
    one.transaction_signature === signature && one.token === token;
  return json.find(isIt);
}

/** What has happened to a receipt, oldest first. */
async function eventsOf({ id }: { id: string }) {
  const events = await stage.runtime.eventStore.load(`receipt.test-${id.replace('_test', '')}`);
  return events.map(({ type }) => type);
}

test('money goes back once to the wallet that sent it, and the receipt is refunded when that is final', async () => {
  const receipt = await newReceipt('S-1');
  const { status, json } = await resolve(receipt.id, { action: 'refund', note: 'Not for us' });
  expect([status, json]).toEqual([
    200,
    { ...receipt, refund: { status: 'processing', transaction_signature: null, failure_reason: null } },
  ]);
  await stage.settle();
  expect(treasury.requested).toEqual([
    {
      ...{ transfer_id: receipt.id, type: 'refund', merchant_id: 'm1', asset: 'USDC' },
      ...{ amount: '5000000', credit: 'S-1', to: 'C1' },
    },
  ]);
  for (const action of ['accept', 'refund']) {
    const refused = await resolve(receipt.id, { action });
    expect([refused.status, refused.json.code]).toEqual([409, 'refund_in_progress']);
  }

  await treasury.complete(receipt.id, 'R-1');
  await treasury.complete(receipt.id, 'R-1');
  const resolved = await receiptOf('S-1');
  expect(resolved).toEqual({
    ...receipt,
    ...{ resolution: 'refunded', resolution_note: 'Not for us', resolved_at: expect.any(String) },
    refund: { status: 'completed', transaction_signature: 'R-1', failure_reason: null },
  });
  for (const action of ['accept', 'refund']) {
    const refused = await resolve(receipt.id, { action });
    expect([refused.status, refused.json.code]).toEqual([409, 'receipt_already_resolved']);
  }
  expect(treasury.requested).toHaveLength(1);
  expect((await eventsOf(receipt)).slice(-2)).toEqual(['ReceiptRefundRequested', 'ReceiptResolved']);
});

test('lists show it as not resolved until the money is back', async () => {
  const { id } = await newReceipt('S-2');
  await resolve(id, { action: 'refund' });
  await stage.settle();
  const ids = async (resolved: boolean) =>
    (await get(`/receipts?resolved=${resolved}`)).json.map((one: { id: string }) => one.id);
  expect([await ids(false), await ids(true)]).toEqual([[id], []]);
  await treasury.complete(id, 'R-2');
  expect([await ids(false), await ids(true)]).toEqual([[], [id]]);
});

test('what has failed is sent again as another transfer, or accepted', async () => {
  const [one, other] = [await newReceipt('S-3'), await newReceipt('S-4')];
  for (const { id } of [one, other]) await resolve(id, { action: 'refund' });
  await stage.settle();
  await treasury.fail(one.id, 'insufficient_balance');
  await treasury.fail(other.id, 'sanctions_hit');
  expect(await receiptOf('S-4')).toMatchObject({
    resolution: null,
    refund: { status: 'failed', transaction_signature: null, failure_reason: 'sanctions_hit' },
  });

  await resolve(one.id, { action: 'refund' });
  await stage.settle();
  expect(treasury.requested.map(({ transfer_id }) => transfer_id)).toEqual([
    one.id,
    other.id,
    `${one.id}:2`,
  ]);
  // Heard again, the end of the first attempt is not that of the second.
  await treasury.fail(one.id, 'insufficient_balance');
  expect((await receiptOf('S-3')).refund.status).toBe('processing');
  await treasury.complete(`${one.id}:2`, 'R-3');
  expect(await receiptOf('S-3')).toMatchObject({ resolution: 'refunded' });

  const accepted = await resolve(other.id, { action: 'accept', note: 'Reported' });
  expect([accepted.status, accepted.json.resolution]).toEqual([200, 'accepted']);
  expect((await resolve(other.id, { action: 'refund' })).json.code).toBe('receipt_already_resolved');
});

test.each([
  ['in the merchant’s own wallet', { wallet: 'OwnWallet' }, 0],
  ['in a wallet that was the merchant’s own', { wallet: 'FormerWallet' }, 1],
  ['of a token that Tender does not take', { token: null, token_mint: 'Unknown' }, 0],
  ['that never came', { amount: '0', reason: 'wrong_account' }, 0],
  ['of which it is not known who sent it', { from_wallet: null }, 0],
  ['of before receipts named the wallet', { wallet: undefined }, 0],
])('money %s is not refunded, and can be accepted', async (_, changes, questions) => {
  const { id } = await newReceipt('S-5', changes);
  const refused = await resolve(id, { action: 'refund' });
  expect([refused.status, refused.json.code]).toEqual([409, 'receipt_not_refundable']);
  expect(treasury.wallets_asked).toBe(questions);
  expect((await resolve(id, { action: 'accept' })).status).toBe(200);
  await stage.settle();
  expect(treasury.requested).toEqual([]);
});

test('a hundred at once, and the same request again, are one refund', async () => {
  const { id } = await newReceipt('S-6');
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => resolve(id, { action: 'refund' })),
  );
  const codes = answers.map(({ status, json }) => json.code ?? status).toSorted();
  expect(codes).toEqual([200, ...Array.from({ length: 99 }, () => 'refund_in_progress')]);
  await stage.settle();
  expect(treasury.requested).toHaveLength(1);

  const other = await newReceipt('S-7');
  const repeat = { command_id: 'c-1' };
  const first = await resolve(other.id, { action: 'refund' }, repeat);
  const again = await resolve(other.id, { action: 'refund' }, repeat);
  expect([again.status, again.text]).toEqual([200, first.text]);
});

test('without an answer of treasury nothing is recorded; once recorded, it is asked until it answers', async () => {
  const { id } = await newReceipt('S-8');
  treasury.out_of_reach = true;
  const unknown = await resolve(id, { action: 'refund' });
  expect([unknown.status, unknown.json.code]).toEqual([503, 'service_unavailable']);
  expect((await receiptOf('S-8')).refund).toBeUndefined();
  treasury.out_of_reach = false;
  treasury.has_wallet = false;
  await resolve(id, { action: 'refund' });
  await stage.settle();
  expect(treasury.requested).toEqual([]);
  treasury.has_wallet = true;
  while (treasury.requested.length === 0) await sleep(20);
  await treasury.complete(id, 'R-8');
  expect(await receiptOf('S-8')).toMatchObject({ resolution: 'refunded' });
});

test('M1: of one transaction each receipt goes back for its own amount and token', async () => {
  const paid = await stage.send('POST', '/api/v1/payments', caller({ wallet: 'OperatingWallet' }), { amount: 10 });
  const { id: payment_id, token_amount, expires_at, token_mint } = paid.json;
  const due = { payment_id, token_mint, merchant_id: 'm1', expires_at };
  await fateOf(stage).confirm({ ...due, token_amount: String(BigInt(token_amount) + 7n) });
  const signature = `S-${payment_id}`;
  await newReceipt(signature, { token: 'SOL', token_mint: null, amount: '9', wallet: 'OperatingWallet' });
  const [surplus, sol] = [await receiptOf(signature), await receiptOf(signature, 'SOL')];
  expect(surplus).toMatchObject({ reason: 'surplus', amount: '7', wallet: 'OperatingWallet' });
  for (const { id } of [surplus, sol]) expect((await resolve(id, { action: 'refund' })).status).toBe(200);
  await stage.settle();
  const termsOf = ({ credit, asset, amount, to }: RequestedTransfer) => [credit, asset, amount, to];
  expect(treasury.requested.map(termsOf).toSorted()).toEqual([
    [signature, 'SOL', '9', 'C1'],
    [signature, 'USDC', '7', 'C1'],
  ]);
});
