/**
 * @landing embedded
 * @program own
 */
import { allAtOnce } from '../harness/all-at-once';
import { idempotencyKey } from '../harness/client';
import { eventually } from '../harness/eventually';
import { brokenInvariants } from '../harness/invariants';
import { newMerchant, type Merchant } from '../harness/merchants';
import { Program } from '../harness/program';
import { Receiver } from '../harness/receiver';

const DAY_SECONDS = 24 * 60 * 60;

const program = new Program();
let receiver: Receiver;
let merchant: Merchant;

beforeAll(async () => {
  receiver = await Receiver.start();
  // With faults, none of which strikes yet.
  await program.start({});
  merchant = await newMerchant(program, { webhook_url: receiver.url });
});
afterAll(async () => {
  await receiver.close();
  await program.discard();
});

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are what is under test
type Json = any;

const WORK = {
  ...{ customer_email: 'ada@example.com', customer_name: 'Ada Obi' },
  ...{ amount: 25, description: 'Work' },
};
const now = async (): Promise<number> => {
  const { json } = await program.admin().get('/api/v1/test_helpers/environment');
  return Date.parse(json.now as string);
};
const invoiceAt = async (id: string, status: string): Promise<Json> => {
  const get = () => merchant.api.get(`/api/v1/invoices/${id}`);
  return (await eventually(get, ({ json }: Json) => json.status === status)).json;
};
const told = (id: string): Json[] => [
  ...new Map(
    receiver.deliveries
      .filter(({ json }) => json.invoice?.invoice_id === id)
      .map(({ json }) => [json.id as string, json]),
  ).values(),
];

const numbers = (year: number, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `INV-${year}-${String(n + 1).padStart(6, '0')}`);
const numberOf = ({ json }: { readonly json: Json }) => json.invoice_number as string;
const year = async () => new Date(await now()).getUTCFullYear();

test('500 invoices, half of them at once, have the numbers 1 to 500, without a gap or a double', async () => {
  const other = await newMerchant(program);
  // One address may have no more requests at once: what is refused comes again one after the other, and races nothing.
  const crowd = () => allAtOnce(250, '/api/v1/invoices', () => other.api, WORK);
  const made = [...(await crowd()), ...(await crowd())];
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  expect(made.map(numberOf).toSorted()).toEqual(numbers(await year(), 500));
});

// Before a draft takes its number; once it has taken it, and does not know; once it has it, and no client was answered.
test.each(['append.before@invoicebook:2', 'append.after@invoicebook:2', 'append.after@invoice:60'])(
  'kill -9 at %s leaves no gap and no double',
  async (fault) => {
    const patient = (await newMerchant(program)).api.patient();
    await program.strike(['billing'], fault);
    const asked = Array.from({ length: 40 }, () =>
      patient.post('/api/v1/invoices', WORK, idempotencyKey()),
    );
    const [made] = await Promise.all([Promise.all(asked), program.rises()]);
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(made.map(numberOf).toSorted()).toEqual(numbers(await year(), 40));
    // Rows follow the log again once the next leader is there, which a reader does not wait for.
    const list = () => patient.get('/api/v1/invoices');
    await eventually(list, ({ headers }) => Number(headers['x-total-count']) >= 40);
    expect((await list()).headers['x-total-count']).toBe('40');
  },
);

test('an invoice that is not paid in time is overdue, and is then paid by its link', async () => {
  const due_date = new Date((await now()) + 2 * DAY_SECONDS * 1000).toISOString();
  const { json: made } = await merchant.api.post('/api/v1/invoices', { ...WORK, due_date });
  const id = made.id as string;
  const { status, json: sent } = await merchant.api.post(`/api/v1/invoices/${id}/send`);
  expect([status, sent.status, sent.sent_to]).toEqual([200, 'sent', WORK.customer_email]);

  await merchant.api.post('/api/v1/test_helpers/clock/advance', { seconds: 4 * DAY_SECONDS });
  await invoiceAt(id, 'overdue');

  const link_code = (sent.payment_url as string).split('/').at(-1);
  const begun = await program.client().post(`/api/v1/payment-links/${link_code}/pay`);
  expect([begun.status, begun.json.amount]).toEqual([201, 25]);
  const { payment_id } = begun.json;
  const paid = await program.admin().post('/api/v1/test_helpers/pay', { payment_id });
  expect(paid.status).toBe(200);
  const done = await invoiceAt(id, 'paid');
  expect(done.paid_at).toEqual(expect.any(String));

  const link = () => program.client().get(`/api/v1/payment-links/${link_code}`);
  await eventually(link, ({ json }: Json) => json.status === 'closed');
  const refused = await merchant.api.post(`/api/v1/invoices/${id}/cancel`);
  expect([refused.status, refused.json.code]).toEqual([409, 'invoice_not_cancellable']);
  const pdf = await fetch(`${program.url}/api/v1/invoices/${id}/pdf`, {
    headers: { authorization: `Bearer ${merchant.key}` },
  });
  expect([pdf.status, pdf.headers.get('content-type')]).toEqual([200, 'application/pdf']);
  const bytes = Buffer.from(await pdf.arrayBuffer()).toString('latin1');
  expect([bytes.slice(0, 5), bytes.trimEnd().slice(-5)]).toEqual(['%PDF-', '%%EOF']);

  await receiver.until(() => told(id).length >= 4);
  const events = ['InvoiceCreated', 'InvoiceSent', 'InvoiceOverdue', 'InvoicePaid'];
  expect(told(id).map(({ event }) => event as string).toSorted()).toEqual(events.toSorted());
  const told_sent = told(id).find(({ event }) => event === 'InvoiceSent');
  expect(told_sent?.invoice).toEqual({
    ...{ invoice_id: id, merchant_id: merchant.id, invoice_number: made.invoice_number },
    ...{ customer_email: WORK.customer_email, customer_name: WORK.customer_name, amount_usd: 25 },
    ...{ token: 'USDC', status: 'sent', payment_url: sent.payment_url },
  });
});

test('the dashboard’s routes take a key to read, and only sessions to change something', async () => {
  const mine = '/api/v1/merchants/me/invoices';
  expect((await merchant.api.post(mine, WORK)).status).toBe(403);
  const { json } = await merchant.api.get(mine);
  expect(json).toHaveLength(1);
  expect((await merchant.api.get(`${mine}/${json[0].id}`)).json).toEqual(json[0]);
  expect((await merchant.api.post(`${mine}/${json[0].id}/send`)).status).toBe(403);
  expect((await program.client().get(mine)).status).toBe(401);
});

test('nothing of all that breaks an invariant', async () => {
  expect(await brokenInvariants(program)).toEqual([]);
});
