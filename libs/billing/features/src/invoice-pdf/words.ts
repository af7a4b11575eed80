import type { InvoiceStatus, Locale } from '@tender/contracts';
import { timeOf } from '@tender/kernel';

const en = {
  invoice: 'Invoice',
  status: {
    draft: 'Draft',
    sent: 'To be paid',
    overdue: 'Overdue',
    paid: 'Paid',
    cancelled: 'Cancelled',
  } satisfies Record<InvoiceStatus, string>,
  from: 'From',
  to: 'To',
  number: 'Number',
  issued: 'Date',
  due: 'Due',
  paid_on: 'Paid on',
  item: 'Description',
  quantity: 'Quantity',
  unit_price: 'Unit price',
  amount: 'Amount',
  total: 'Total',
  how_to_pay: 'How to pay',
  pay: (token: string) => `Open this address or scan the code, and pay in ${token}:`,
  test_mode: 'Test mode: no real money moves here.',
  note: {
    draft: 'This is a draft. It has not been sent, and cannot be paid yet.',
    paid: 'This invoice is paid. Nothing is left to do.',
    cancelled: 'This invoice is cancelled. Do not pay it.',
  },
  questions: (email: string) => `Questions? Write to ${email}.`,
  page: (page: number, pages: number) => `Page ${page} of ${pages}`,
};

type Words = typeof en;

const fr: Words = {
  invoice: 'Facture',
  status: {
    draft: 'Brouillon',
    sent: 'À payer',
    overdue: 'En retard',
    paid: 'Payée',
    cancelled: 'Annulée',
  },
  from: 'De',
  to: 'À',
  number: 'Numéro',
  issued: 'Date',
  due: 'Échéance',
  paid_on: 'Payée le',
  item: 'Description',
  quantity: 'Quantité',
  unit_price: 'Prix unitaire',
  amount: 'Montant',
  total: 'Total',
  how_to_pay: 'Comment payer',
  pay: (token) => `Ouvrez cette adresse ou scannez le code, et payez en ${token}\u00a0:`,
  test_mode: 'Mode test\u00a0: aucun argent réel ne circule ici.',
  note: {
    draft: 'Ceci est un brouillon. La facture n’a pas été envoyée et ne peut pas encore être payée.',
    paid: 'Cette facture est payée. Il n’y a plus rien à faire.',
    cancelled: 'Cette facture est annulée. Ne la payez pas.',
  },
  questions: (email) => `Une question\u00a0? Écrivez à ${email}.`,
  page: (page, pages) => `Page ${page} sur ${pages}`,
};

/** What an invoice says in its own words, in each language. */
export const WORDS: Readonly<Record<Locale, Words>> = { en, fr };

const TAGS: Readonly<Record<Locale, string>> = { en: 'en-GB', fr: 'fr-FR' };

/** `USD 1,050.00`, from exact decimal text: more places than cents stay. */
export const money = (locale: Locale, amount: string): string =>
  `USD\u00a0${number(locale, amount, 2)}`;

/** With the marks of the language; at least so many decimals. */
export function number(locale: Locale, text: string, places_min = 0): string {
  const places = { minimumFractionDigits: places_min, maximumFractionDigits: 6 };
  const format = new Intl.NumberFormat(TAGS[locale], places);
  return format.format(text as Intl.StringNumericLiteral);
}

/** `31 January 2026`, UTC. */
export const day = (locale: Locale, time: string): string =>
  new Intl.DateTimeFormat(TAGS[locale], { dateStyle: 'long', timeZone: 'UTC' }).format(timeOf(time));
