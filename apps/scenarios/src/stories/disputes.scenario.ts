/** @landing embedded postgres */
// A customer disputes a payment by a code that came by mail, and the dispute comes to each of its ends.
import type { Answer } from '../harness/client';
import { usdcOf } from '../harness/customers';
import {
  mailedCode,
  mailsTo,
  opening,
  postedByCustomer,
  type PaidByCustomer,
} from '../harness/dispute-codes';
import { eventually } from '../harness/eventually';
import { newMerchant, type Merchant } from '../harness/merchants';
import { fund, operatingWalletOf, refundEnded } from '../harness/operating-wallets';
import { paidPayment } from '../harness/paid-payments';
import { Person } from '../harness/person';
import { Receiver } from '../harness/receiver';
import { sharedProgram } from '../harness/running-program';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const program = sharedProgram();
let receiver: Receiver;
let merchant: Merchant;
let person: Person;

const get = async (path: string): Promise<Json> => (await merchant.api.get(`/api/v1${path}`)).json;
const post = (path: string, body: object): Promise<Answer> =>
  postedByCustomer(program, path, body);
const codeOf = ({ status, json }: Answer) => [status, json.code];

beforeAll(async () => {
  receiver = await Receiver.start();
  merchant = await newMerchant(program, { webhook_url: receiver.url });
  person = await Person.signIn(program, merchant.email);
  await fund(program, await operatingWalletOf(merchant), 200);
});
afterAll(() => receiver.close());

let customers = 0;

/** A payment of 20 USD that a customer with an e-mail has made. */
async function paid(): Promise<PaidByCustomer> {
  customers += 1;
  const email = `customer-${customers}.${merchant.id}@example.com`;
  const body = { amount: 20, customer_email: email };
  const { id: payment_id, payer } = await paidPayment(merchant, body);
  return { payment_id, payer, email };
}

async function disputed(): Promise<PaidByCustomer & { readonly id: string }> {
  const payment = await paid();
  const body = opening(payment, await mailedCode(program, payment));
  const { status, json, text } = await post(`/payments/${payment.payment_id}/dispute`, body);
  expect([status, json.status, text]).toEqual([201, 'open', text]);
  // Commands of merchants and admins find it by its row, which follows the log.
  const seen = () => merchant.api.get(`/api/v1/merchants/me/disputes/${json.id}`);
  await eventually(seen, (answer) => answer.status === 200);
  return { ...payment, id: json.id };
}

const resolve = (id: string, body: object) =>
  program.admin().post(`/admin/disputes/${id}/resolve`, { reason: 'Looked into', ...body });
const told = (id: string, event: string): Json =>
  receiver.events(event).find(({ json }) => json.dispute?.id === id)?.json.dispute;
const toldOf = async (id: string, event: string): Promise<Json> => {
  await receiver.until(() => told(id, event) !== undefined);
  return told(id, event);
};

/** That refund of the payment, once it has ended. */
const back = ({ payment_id }: PaidByCustomer, refund_id: string): Promise<Json> =>
  refundEnded(program, merchant.api, payment_id, refund_id);

test('the merchant responds, and an admin finds for the merchant: no money moves', async () => {
  const dispute = await disputed();
  const { id, email, payment_id } = dispute;
  expect(await toldOf(id, 'DisputeOpened')).toMatchObject({
    ...{ payment_id, customer_email: email, status: 'open' },
    ...{ description: 'Nothing has come.', evidence: { tracking: 'TR-7' } },
  });
  const path = `/api/v1/merchants/me/disputes/${id}`;
  const response = { response: 'It was handed over.' };
  expect(codeOf(await merchant.api.post(`${path}/respond`, response))).toEqual([403, 'forbidden']);
  const responded = await person.post(`${path}/respond?mode=test`, response);
  expect([responded.status, responded.json.status]).toEqual([200, 'under_review']);
  await toldOf(id, 'DisputeResponded');
  const notes = { outcome: 'merchant_favor', resolution_notes: 'Signed for.' };
  expect((await resolve(id, notes)).json).toMatchObject({ status: 'resolved_merchant_favor' });
  expect(await toldOf(id, 'DisputeResolved')).toMatchObject({
    ...{ status: 'resolved_merchant_favor', refund_id: null, resolution_notes: 'Signed for.' },
  });
  expect(await get(`/payments/${payment_id}/refunds`)).toEqual([]);
  expect(codeOf(await resolve(id, notes))).toEqual([409, 'dispute_already_resolved']);
});

test('the merchant gives the money back: it is with the customer, to the unit', async () => {
  const dispute = await disputed();
  const { id, payer, payment_id } = dispute;
  const path = `/api/v1/merchants/me/disputes/${id}/issue-refund`;
  const body = { amount_usd: 12.5, refund_reason: 'Lost on the way' };
  expect(codeOf(await merchant.api.post(path, body))).toEqual([403, 'forbidden']);
  const before = await usdcOf(program, payer);
  const issued = await person.post(`${path}?mode=test`, body);
  expect([issued.status, issued.json]).toMatchObject([
    201,
    { dispute_id: id, status: 'resolved_customer_favor', refund: { amount_usd: 12.5 } },
  ]);
  const { id: refund_id } = issued.json.refund;
  expect(await toldOf(id, 'DisputeResolved')).toMatchObject({ refund_id });
  const refund = await back(dispute, refund_id);
  expect(refund).toMatchObject({ id: refund_id, status: 'completed', dispute_id: id, payment_id });
  expect(await usdcOf(program, payer)).toBe(before + 12_500_000n);
});

test('an admin finds for the customer, with a refund', async () => {
  const dispute = await disputed();
  const { id, payer } = dispute;
  const before = await usdcOf(program, payer);
  const resolved = await resolve(id, { outcome: 'customer_favor', refund_amount_usd: 20 });
  expect([resolved.status, resolved.json]).toMatchObject([
    200,
    { status: 'resolved_customer_favor', resolved_by: 'admin' },
  ]);
  const { refund_id } = resolved.json;
  expect(await back(dispute, refund_id)).toMatchObject({
    ...{ id: refund_id, status: 'completed', initiated_by: 'admin' },
  });
  expect(await usdcOf(program, payer)).toBe(before + 20_000_000n);
});

test('an admin closes it, and the customer may open another one', async () => {
  const dispute = await disputed();
  const { id, payment_id } = dispute;
  const body = opening(dispute, await mailedCode(program, dispute));
  const refused = await post(`/payments/${payment_id}/dispute`, body);
  expect(codeOf(refused)).toEqual([409, 'dispute_exists']);
  expect((await resolve(id, { outcome: 'closed' })).json.status).toBe('closed');
  // A code that opened nothing is still good.
  const again = await post(`/payments/${payment_id}/dispute`, body);
  expect([again.status, again.json.status]).toEqual([201, 'open']);
  expect(codeOf(await post(`/payments/${payment_id}/dispute`, body))).toEqual([422, 'otp_invalid']);
  const closed = () => get('/merchants/me/disputes?status=closed');
  await eventually(closed, ({ disputes }) => disputes?.some((one: Json) => one.id === id));
});

test('a stranger gets the answer of a customer, and no mail; their guesses come to an end', async () => {
  const payment = await paid();
  const { payment_id } = payment;
  const customer_email = `stranger.${merchant.id}@example.com`;
  const asked = await post(`/payments/${payment_id}/dispute/request-otp`, { customer_email });
  expect([asked.status, Object.keys(asked.json)]).toEqual([
    ...[200, ['payment_id', 'customer_email', 'expires_at']],
  ]);
  const guess = () =>
    post(`/payments/${payment_id}/dispute`, { ...opening(payment, '000000'), customer_email });
  const guessed = [];
  for (let tried = 1; tried <= 6; tried += 1) guessed.push(codeOf(await guess()));
  expect(guessed.slice(0, 5)).toEqual(Array(5).fill([422, 'otp_invalid']));
  expect(guessed[5]).toEqual([429, 'rate_limit_exceeded']);
  // What was asked for later has come: so had this, if it were sent.
  await mailedCode(program, payment);
  expect(await mailsTo(program, customer_email)).toEqual([]);
});
