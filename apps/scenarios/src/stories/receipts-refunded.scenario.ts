/** @landing embedded */
// Money that pays nothing, and that its merchant sends back out of its operating wallet.
import { newCustomer, sendUsdc, usdcOf, type Customer } from '../harness/customers';
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { operatingWalletOf, transferEnded } from '../harness/operating-wallets';
import { Receiver } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const program = sharedProgram();
const AMOUNT = 5_000_000n;
let receiver: Receiver;
let merchant: Merchant;
let operating_wallet: string;

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
  operating_wallet = await operatingWalletOf(merchant);
});
afterAll(() => receiver.close());

async function receiptOf(transaction_signature: string): Promise<Json> {
  const { json } = await merchant.api.get('/api/v1/receipts?limit=100');
  return json.find((one: Json) => one.transaction_signature === transaction_signature) ?? null;
}

/** A stranger sends all that it has to a wallet of the merchant; the receipt of it. */
async function strangersMoney(to: string): Promise<{ stranger: Customer; receipt: Json }> {
  const stranger = await newCustomer(program, Number(AMOUNT) / 1e6);
  const signature = await sendUsdc(program, stranger, to, AMOUNT);
  const receipt = await eventually(() => receiptOf(signature), (found) => found !== null);
  expect(receipt).toMatchObject({
    ...{ reason: 'no_reference', amount: String(AMOUNT), wallet: to },
    ...{ from_wallet: stranger.address, resolution: null },
  });
  return { stranger, receipt };
}

const resolve = ({ id }: Json, body: object): Promise<Json> =>
  merchant.api.post(`/api/v1/receipts/${id}/resolve`, body);

/** Once it is known what became of the transfer. */
async function ended({ transaction_signature }: Json): Promise<Json> {
  const look = async (): Promise<Json> => (await receiptOf(transaction_signature)).refund;
  await transferEnded(program, look, 'completed', 'failed');
  return receiptOf(transaction_signature);
}

const told = ({ id }: Json): Json[] =>
  receiver
    .events('ReceiptResolved')
    .map(({ json }) => json)
    .filter(({ receipt }) => receipt.id === id);

test('a stranger’s money goes back to the unit, and the merchant hears of it', async () => {
  const { stranger, receipt } = await strangersMoney(operating_wallet);
  const asked = await resolve(receipt, { action: 'refund', note: 'We sell nothing to you' });
  expect([asked.status, asked.json.resolution, asked.json.refund.status]).toEqual([200, null, 'processing']);
  const again = await resolve(receipt, { action: 'accept' });
  expect([again.status, again.json.code]).toEqual([409, 'refund_in_progress']);

  const refunded = await ended(receipt);
  expect(refunded).toEqual({
    ...receipt,
    ...{ resolution: 'refunded', resolution_note: 'We sell nothing to you', resolved_at: expect.any(String) },
    refund: { status: 'completed', transaction_signature: expect.any(String), failure_reason: null },
  });
  expect(await usdcOf(program, stranger.address)).toBe(AMOUNT);
  await receiver.until(() => told(receipt).length > 0);
  expect(told(receipt)[0]).toMatchObject({ event: 'ReceiptResolved', receipt: refunded });
  const over = await resolve(receipt, { action: 'refund' });
  expect([over.status, over.json.code]).toEqual([409, 'receipt_already_resolved']);
});

test('money that was accepted stays', async () => {
  const { stranger, receipt } = await strangersMoney(operating_wallet);
  const accepted = await resolve(receipt, { action: 'accept', note: 'A gift' });
  expect([accepted.status, accepted.json.resolution]).toEqual([200, 'accepted']);
  const refused = await resolve(receipt, { action: 'refund' });
  expect([refused.status, refused.json.code]).toEqual([409, 'receipt_already_resolved']);
  expect(await usdcOf(program, stranger.address)).toBe(0n);
});

test('what came to the merchant’s own wallet, Tender cannot send', async () => {
  const { receipt } = await strangersMoney(merchant.wallet);
  const refused = await resolve(receipt, { action: 'refund' });
  expect([refused.status, refused.json.code]).toEqual([409, 'receipt_not_refundable']);
  expect((await resolve(receipt, { action: 'accept' })).json.resolution).toBe('accepted');
});

test('nothing goes to a wallet that was sanctioned meanwhile, and the money can be accepted', async () => {
  const { stranger, receipt } = await strangersMoney(operating_wallet);
  const arranged = { wallet: stranger.address, action: 'sanction' };
  expect((await merchant.api.post('/api/v1/test_helpers/screening', arranged)).status).toBe(200);
  await resolve(receipt, { action: 'refund' });
  expect(await ended(receipt)).toEqual({
    ...receipt,
    refund: { status: 'failed', transaction_signature: null, failure_reason: 'sanctions_hit' },
  });
  expect((await resolve(receipt, { action: 'accept', note: 'Reported' })).json.resolution).toBe('accepted');
  expect(await usdcOf(program, stranger.address)).toBe(0n);
});
