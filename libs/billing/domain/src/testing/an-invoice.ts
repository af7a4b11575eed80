import type {
  AdvanceInvoice,
  AskInvoiceLink,
  CancelInvoice,
  DraftInvoice,
  NumberInvoice,
  PayInvoice,
  RemindInvoice,
  SendInvoice,
} from '../decide-invoice';
import type { InvoiceLink, InvoiceTerms } from '../invoice';

export const DRAFTED = '2026-01-01T09:00:00.000Z';
export const LINK: InvoiceLink = {
  payment_link_id: '00112233-4455-8677-8899-aabbccddeefe',
  link_code: 't0000000000000000000042',
  payment_url: 'http://localhost:8080/l/t0000000000000000000042',
};
const terms: InvoiceTerms = {
  invoice_id: 'inv_test_0000000000000000000007',
  merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
  mode: 'test',
  amount_usd_cents: '10050',
  currency: 'USD',
  token: 'USDC',
  description: 'Work in January',
  line_items: [
    { description: 'Hours', quantity: '1.5', unit_price: '60' },
    { description: 'Train', quantity: '1', unit_price: '10.5' },
  ],
  due_date: '2026-01-31T09:00:00.000Z',
  metadata: { order: '42' },
  onramp: false,
  amount_ngn: null,
  payer_service_charge: false,
  payment_link_max_uses: null,
  collect_customer_info: false,
  locale: 'fr',
  created_at: DRAFTED,
};

export const draft = (
  changes: Partial<InvoiceTerms> = {},
  amount_max = 99_999_999n,
  book = 0,
): DraftInvoice => ({
  ...{ type: 'DraftInvoice', terms: { ...terms, ...changes }, amount_max, book },
  customer: { subject_id: 'subject-7', email_sealed: 'sealed', name_sealed: 'sealed, too' },
});
export const numberInvoice = (sequence = 7): NumberInvoice => ({ type: 'NumberInvoice', sequence });
export const askLink: AskInvoiceLink = {
  ...{ type: 'AskInvoiceLink', payment_link_id: LINK.payment_link_id },
};
export const send = (now: string, link = LINK): SendInvoice => ({ type: 'SendInvoice', now, link });
export const remind = (now: string): RemindInvoice => ({ type: 'RemindInvoice', now });
export const advanceInvoice = (due_at: string): AdvanceInvoice => ({ type: 'AdvanceInvoice', due_at });
export const payInvoice = (now: string, payment_id = 'pay_test_1'): PayInvoice => ({
  ...{ type: 'PayInvoice', paid_by: { payment_id, paid_at: now }, now },
});
export const cancelInvoice = (now: string): CancelInvoice => ({ type: 'CancelInvoice', now });
