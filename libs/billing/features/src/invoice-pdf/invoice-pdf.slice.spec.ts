import { describeMerchant } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import type { ContextStage } from '@tender/runtime/testing';
import { billingStage } from '../testing/billing-stage';
import { invoicesOf } from '../testing/invoices';
import { playPayments, type PlayedPayments } from '../testing/played-payments';
import { readPdf } from '../testing/read-pdf';
import { InvoicePrinter } from './invoice-printer';

let stage: ContextStage;
let payments: PlayedPayments;
let invoices: ReturnType<typeof invoicesOf>;
let business_address = '5 High Street\nLagos';
beforeAll(async () => {
  stage = await billingStage();
  payments = playPayments(stage);
  invoices = invoicesOf(stage);
  stage.runtime.calls.answer(describeMerchant, async ({ merchant_id }) => ({
    ...{ merchant_id, name: 'Adébáyọ̀ & Fils', business_address },
    ...{ support_email: 'help@shop.test', wallet: null, amount_max: 99_999_999 },
  }));
});
afterAll(() => stage?.close());

async function read(id: string) {
  await stage.settle();
  const { statusCode, headers, rawPayload } = await invoices.pdf(id);
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf']);
  return { ...readPdf(rawPayload), bytes: rawPayload, name: headers['content-disposition'] };
}

test('who bills whom for what, and how it is paid, in letters that can be copied', async () => {
  const line_items = [
    { description: 'Naira ₦, ẹ̀kọ́ and office fi', quantity: 1.5, unit_price: 60 },
    { description: 'Train', quantity: 1, unit_price: 10.5 },
  ];
  const customer_name = 'Adébáyọ̀';
  const { json } = await invoices.create({ line_items, customer_name, due_date: '2027-01-31T00:00:00Z' });
  const { json: sent } = await invoices.act(json.id as string, 'send');
  const { text, pages, bytes, name } = await read(json.id as string);
  for (const shown of [
    ...['Invoice', 'To be paid', json.invoice_number, 'Adébáyọ̀ & Fils', '5 High Street', 'Lagos'],
    ...['help@shop.test', customer_name, 'ada@example.com', '31 January 2027', 'Naira ₦, ẹ̀kọ́ and office fi'],
    ...['1.5', 'USD 60.00', 'USD 90.00', 'USD 100.50', 'USDC', sent.payment_url, 'Test mode'],
  ]) {
    expect(text).toContain((shown as string).normalize('NFC'));
  }
  expect([pages, name]).toEqual([1, `inline; filename="${json.invoice_number}.pdf"`]);
  expect((await read(json.id as string)).bytes.equals(bytes)).toBe(true);
});

test('in French, paid: when, and no way to pay it again', async () => {
  const { json } = await invoices.create({ locale: 'fr' });
  await invoices.act(json.id as string, 'send');
  await payments.confirm(payments.linkOf(json.id as string), { at: '2027-02-03T10:00:00.000Z' });
  await stage.settle();
  const { text } = await read(json.id as string);
  for (const shown of ['Facture', 'Payée', '3 février 2027', '100,50']) expect(text).toContain(shown);
  expect(text).not.toContain('/l/');
});

test('a draft and a cancelled one say that they are not to be paid', async () => {
  const { json } = await invoices.create({ line_items: undefined });
  expect((await read(json.id as string)).text).toContain('This is a draft');
  await invoices.act(json.id as string, 'cancel');
  expect((await read(json.id as string)).text).toContain('Do not pay it');
});

test('many items flow over pages, each with its head and its number', async () => {
  const item = { description: `A description ${'that goes on '.repeat(12)}`, quantity: 1, unit_price: 1 };
  const line_items = Array.from({ length: 60 }, (_, n) => ({ ...item, description: `${n + 1}. ${item.description}` }));
  const { json } = await invoices.create({ amount: 60, line_items });
  const { text, pages } = await read(json.id as string);
  expect(pages).toBeGreaterThan(2);
  expect(text.match(/Unit price/g)).toHaveLength(pages);
  for (let page = 1; page <= pages; page += 1) expect(text).toContain(`Page ${page} of ${pages}`);
  for (const { description } of line_items) expect(text).toContain(description.slice(0, 20));
});

test('the names of the columns never stand at the foot of a page without a row', async () => {
  const { json } = await invoices.create({ line_items: undefined, description: 'Work '.repeat(100).trim() });
  const begins_on_first_page: boolean[] = [];
  for (const lines of [12, 16, 20, 24, 28]) {
    business_address = Array.from({ length: lines }, () => 'Lagos').join('\n');
    const { text } = await read(json.id as string);
    expect(text.match(/Unit price/g)).toHaveLength(1);
    begins_on_first_page.push(text.indexOf('Unit price') < text.indexOf('Page 1 of'));
  }
  expect([begins_on_first_page[0], begins_on_first_page.at(-1)]).toEqual([true, false]);
});

test('where too many wait for theirs, it is to be asked for again', async () => {
  const { json } = await invoices.create();
  await stage.settle();
  const print = jest.spyOn(InvoicePrinter.prototype, 'print');
  print.mockRejectedValueOnce(new Unavailable('invoice printer', { reason: 'many wait' }));
  const { statusCode, headers, body } = await invoices.pdf(json.id as string);
  expect([statusCode, headers['content-type']]).toEqual([503, expect.stringContaining('json')]);
  expect(JSON.parse(body)).toMatchObject({ code: 'service_unavailable' });
});

test('it is its merchant’s alone', async () => {
  const { json } = await invoices.create();
  expect((await invoices.pdf(json.id as string, { merchant_id: 'm2' })).statusCode).toBe(404);
});
