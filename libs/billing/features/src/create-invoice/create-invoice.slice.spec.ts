import { invoiceIds, newId } from '@tender/contracts';
import type { ContextStage } from '@tender/runtime/testing';
import { invoice } from '../invoices/invoice.aggregate';
import { bookId, invoiceBook } from '../invoices/invoice-book.aggregate';
import { sealRecipient } from '../recipients/recipients';
import { billingStage } from '../testing/billing-stage';
import { ADA, invoicesOf, WORK } from '../testing/invoices';
import { newInvoice } from './new-invoice';

let stage: ContextStage;
let invoices: ReturnType<typeof invoicesOf>;
let merchants = 0;
beforeAll(async () => {
  stage = await billingStage();
  invoices = invoicesOf(stage);
});
afterAll(() => stage?.close());

/** With numbers of its own. */
const newMerchant = () => ({ merchant_id: `m-${(merchants += 1)}` });
const numbersOf = (answers: readonly { readonly json: { invoice_number: string } }[]) =>
  answers.map(({ json }) => json.invoice_number).toSorted();
const year = () => new Date(stage.runtime.clock.now()).getUTCFullYear();
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, n) => `INV-${year()}-${String(from + n).padStart(6, '0')}`);

test('answers every field', async () => {
  const merchant = newMerchant();
  const body = { due_date: '2027-01-31T10:00:00+01:00', metadata: { order: '42' }, locale: 'fr' };
  const { status, json } = await invoices.create(body, merchant);
  expect(status).toBe(201);
  expect(json).toEqual({
    id: expect.stringMatching(/^inv_test_[0-9A-Za-z]{22}$/) as string,
    invoice_number: `INV-${year()}-000001`,
    ...{ customer_email: ADA.email, customer_name: ADA.name, amount_usd: 100.5, currency: 'USD' },
    ...{ token: 'USDC', description: WORK.description, line_items: WORK.line_items },
    ...{ status: 'draft', payment_url: null, due_date: '2027-01-31T09:00:00.000Z' },
    ...{ sent_at: null, paid_at: null, created_at: expect.any(String) as string },
    ...{ onramp: false, payment_link_max_uses: null, collect_customer_info: false },
    ...{ payer_service_charge: false, amount_ngn: null, locale: 'fr', metadata: { order: '42' } },
    mode: 'test',
  });
  expect((await invoices.get(`/${json.id}`, merchant)).json).toEqual(json);
});

test('500 at once have the numbers 1 to 500, and a second process’s 20 go on from there', async () => {
  const merchant = newMerchant();
  const made = await Promise.all(Array.from({ length: 500 }, () => invoices.create({}, merchant)));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  expect(numbersOf(made)).toEqual(numbers(1, 500));
  const more = await Promise.all(Array.from({ length: 20 }, () => invoices.create({}, merchant)));
  expect(numbersOf(more)).toEqual(numbers(501, 520));
  await stage.settle();
  const { json, headers } = await invoices.get('?limit=100', merchant);
  expect([json.length, headers['x-total-count']]).toEqual([100, '520']);
});

test.each([
  ['before it had its number', false],
  ['before it knew its number', true],
])('one that died %s gets it, leaves no gap, and was not there before', async (_, has_taken) => {
  const merchant = newMerchant();
  await invoices.create({}, merchant);
  const caller = invoices.caller(merchant);
  const terms = newInvoice(stage.runtime, caller, WORK);
  const customer = await sealRecipient(stage.runtime, caller, ADA);
  const command = { type: 'DraftInvoice', terms, customer, book: 0, amount_max: 99_999_999n } as const;
  const id = newId(invoiceIds, 'test', Buffer.from(caller.id_seed, 'hex'));
  await stage.stepDown();
  const origin = { ...caller, causation_id: null, body_hash: null };
  await invoice.handle(stage.runtime, 'test', id, command, origin);
  if (has_taken) {
    const name = { ...merchant, mode: 'test', year: String(year()), book: 0 } as const;
    const take = {
      type: 'TakeInvoiceNumbers',
      ...{ name, invoice_ids: [id], is_previous_full: false, now: terms.created_at },
    } as const;
    await invoiceBook.handle(stage.runtime, 'test', bookId(name), take, origin);
  }
  expect((await invoices.get(`/${id}`, merchant)).status).toBe(404);
  await stage.leadAgain();
  await stage.settle();
  const { json } = await invoices.get(`/${id}`, merchant);
  expect([json.invoice_number, json.status]).toEqual([`INV-${year()}-000002`, 'draft']);
  expect((await invoices.create({}, merchant)).json.invoice_number).toBe(`INV-${year()}-000003`);
});

test('the same request again is the same invoice, by the same bytes; another body is refused', async () => {
  const merchant = newMerchant();
  const repeat = { ...merchant, command_id: `c-${merchant.merchant_id}`, id_seed: 'ab'.repeat(16) };
  const first = await invoices.create({}, repeat);
  const again = await invoices.create({}, repeat);
  expect([again.status, again.text]).toEqual([201, first.text]);
  const other = await invoices.create({ description: 'Other work' }, { ...repeat, body_hash: 'another body' });
  expect([other.status, other.json.code]).toEqual([409, 'idempotency_key_reused']);
  expect((await invoices.create({}, merchant)).json.invoice_number).toBe(`INV-${year()}-000002`);
});

test('test and live count for themselves', async () => {
  const merchant = newMerchant();
  await invoices.create({}, merchant);
  const { json } = await invoices.create({}, { ...merchant, mode: 'live' });
  expect([json.invoice_number, json.mode]).toEqual([`INV-${year()}-000001`, 'live']);
});

test.each([
  [422, 'invoice_amount_mismatch', { amount: 100.49 }],
  [422, 'invoice_amount_mismatch', { line_items: [] }],
  [422, 'amount_too_large', { amount: 1_000_000, line_items: undefined }],
  [400, 'invalid_parameter', { onramp: true }],
  [400, 'invalid_parameter', { onramp: true, payer_service_charge: true }],
])('%i %s, and no number is taken', async (status, code, body) => {
  const merchant = newMerchant();
  const refused = await invoices.create(body, merchant);
  expect([refused.status, refused.json.code]).toEqual([status, code]);
  expect((await invoices.create({}, merchant)).json.invoice_number).toBe(`INV-${year()}-000001`);
});

test.each(['2100-01-01T00:00:00Z', '9999-12-31T23:00:00-10:00'])('a due date beyond ten years is refused: %s', async (due_date) => {
  const { status, json } = await invoices.create({ due_date }, newMerchant());
  expect([status, json.code]).toEqual([400, 'invalid_parameter']);
  expect(json.error).toContain('due_date');
});

test('a sum is rounded half up, once', async () => {
  const line_items = [{ description: 'Seconds', quantity: 0.5, unit_price: 0.01 }];
  expect((await invoices.create({ amount: 0.01, line_items })).status).toBe(201);
  const two = [...line_items, ...line_items];
  expect((await invoices.create({ amount: 0.02, line_items: two })).status).toBe(422);
  expect((await invoices.create({ amount: 0.01, line_items: two })).status).toBe(201);
});

test('a stranger, the other mode and an unknown id are the same 404', async () => {
  const { json } = await invoices.create();
  const answers = await Promise.all([
    invoices.get(`/${json.id}`, { merchant_id: 'm-stranger' }),
    invoices.get(`/${json.id}`, { mode: 'live' }),
    invoices.get(`/inv_test_${'0'.repeat(22)}`),
    invoices.act(json.id as string, 'cancel', { merchant_id: 'm-stranger' }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
});
