import type { InvoiceEvent, InvoiceTerms } from '@tender/billing-domain';
import type { MailPart } from '@tender/mail';
import { cents, day, money, type Letter } from './letter';
import { WORDS } from './words';

/** The letter of one event of an invoice; null where its customer is not written to. */
export function invoiceLetter({ type, data }: InvoiceEvent): Letter | null {
  if (type === 'InvoiceSent') return letterOf('invoice_sent', data);
  return type === 'InvoiceReminded' ? letterOf('invoice_reminded', data) : null;
}

function letterOf(
  kind: 'invoice_sent' | 'invoice_reminded',
  { terms, customer, after }: InvoiceEvent['data'],
): Letter | null {
  const { invoice_number, payment_url } = after;
  if (invoice_number === null || payment_url === null) return null;
  const { locale } = terms;
  const words = WORDS[locale];
  return {
    customer,
    locale,
    says(shop, name) {
      const { text, ...said } = words[kind]({ shop, number: invoice_number });
      return { ...said, parts: partsOf(terms, payment_url, `${words.hello(name)}\n${text}`) };
    },
  };
}

function partsOf(terms: InvoiceTerms, url: string, text: string): readonly MailPart[] {
  const { locale, amount_usd_cents, amount_ngn, description, due_date, currency } = terms;
  const { labels, pay } = WORDS[locale];
  const amount = cents(amount_usd_cents, currency, locale);
  const in_naira = amount_ngn === null ? '' : ` (${money(Number(amount_ngn), 'NGN', locale)})`;
  const rows = [
    { label: labels.for, value: description },
    { label: labels.amount, value: `${amount}${in_naira}` },
    ...(due_date === null ? [] : [{ label: labels.due, value: day(due_date, locale) }]),
  ];
  return [
    { kind: 'paragraph', text },
    { kind: 'facts', rows },
    { kind: 'action', label: pay(amount), url },
  ];
}
