import { CENT_PLACES, lineItemsTotal, type KnownInvoice, type LineItem } from '@tender/billing-domain';
import type { MerchantProfile } from '@tender/contracts';
import { formatUnits, invariant } from '@tender/kernel';
import { qrCode } from '@tender/page';
import type { Recipient } from '../recipients/recipients';
import { BOTTOM, GREY, LEFT, RIGHT, Sheet, WIDTH, type TextStyle } from './sheet';
import { day, money, number, WORDS } from './words';

/** All that an invoice shows; the same gives the same bytes. */
export interface PrintedInvoice {
  readonly invoice: KnownInvoice;
  readonly merchant: Pick<MerchantProfile, 'name' | 'business_address' | 'support_email'>;
  /** Null once erased. */
  readonly customer: Recipient | null;
}

const QR_SIZE = 96;
const GAP = 24;
const CELL = 8;
const HALF = (WIDTH - GAP) / 2;

/** The page that a person would print: who bills whom for what, when, and how it is paid. PDF. */
export async function drawInvoice(printed: PrintedInvoice): Promise<Buffer> {
  const { invoice, merchant } = printed;
  const { terms, invoice_number, status } = invoice;
  invariant(invoice_number && status !== 'unnumbered', 'an invoice that is shown has its number');
  const { locale } = terms;
  const words = WORDS[locale];
  const sheet = new Sheet({
    title: `${words.invoice} ${invoice_number}`,
    author: merchant.name,
    language: locale,
    at: terms.created_at,
  });
  drawHead(sheet, invoice_number, printed);
  drawItems(sheet, invoice);
  drawPayment(sheet, invoice, status);
  return sheet.bytes((page, pages) => {
    const y = BOTTOM + 16;
    sheet.line(y - 8);
    sheet.text(words.questions(merchant.support_email), LEFT, y, { size: 8, color: GREY });
    const at = `${invoice_number} · ${words.page(page, pages)}`;
    sheet.text(at, LEFT, y, { size: 8, color: GREY, align: 'right' });
  });
}

function drawHead(
  sheet: Sheet,
  invoice_number: string,
  { invoice, merchant, customer }: PrintedInvoice,
): void {
  const { terms, status, paid_by } = invoice;
  const { locale } = terms;
  const words = WORDS[locale];
  invariant(status !== 'unnumbered', 'an invoice that is shown has its number');
  const title = { size: 24, bold: true };
  sheet.text(words.status[status], LEFT, sheet.y + 10, { size: 12, bold: true, align: 'right' });
  sheet.y += sheet.text(words.invoice, LEFT, sheet.y, title) + 4;
  if (terms.mode === 'test') {
    sheet.y += sheet.text(words.test_mode, LEFT, sheet.y, { color: GREY }) + 4;
  }
  sheet.y += 12;

  const from = [merchant.name, merchant.business_address, merchant.support_email];
  const to = customer ? [customer.name ?? '', customer.email] : [];
  const party = (label: string, [name = '', ...rest]: readonly string[], x: number): number => {
    let { y } = sheet;
    y += sheet.text(label, x, y, { size: 8, color: GREY, width: HALF }) + 2;
    if (name !== '') y += sheet.text(name, x, y, { bold: true, width: HALF });
    for (const text of rest) y += sheet.text(text, x, y, { width: HALF });
    return y;
  };
  sheet.y = Math.max(party(words.from, from, LEFT), party(words.to, to, LEFT + HALF + GAP)) + 20;

  const facts: [string, string][] = [
    [words.number, invoice_number],
    [words.issued, day(locale, terms.created_at)],
    ...(terms.due_date ? [[words.due, day(locale, terms.due_date)] as [string, string]] : []),
    ...(paid_by ? [[words.paid_on, day(locale, paid_by.paid_at)] as [string, string]] : []),
  ];
  const width = WIDTH / 4;
  facts.forEach(([label, value], place) => {
    const x = LEFT + place * width;
    sheet.text(label, x, sheet.y, { size: 8, color: GREY, width });
    sheet.text(value, x, sheet.y + 13, { bold: true, width });
  });
  sheet.y += 44;
  if (terms.line_items) sheet.y += sheet.text(terms.description, LEFT, sheet.y) + 16;
}

/** Widths of the columns, from the left. */
const COLUMNS = [WIDTH * 0.46, WIDTH * 0.14, WIDTH * 0.2, WIDTH * 0.2] as const;

function drawRow(sheet: Sheet, cells: readonly string[], style: TextStyle = {}): void {
  let x = LEFT;
  cells.forEach((cell, place) => {
    const width = (COLUMNS[place] ?? 0) - CELL;
    const align = place === 0 ? 'left' : 'right';
    if (cell !== '') sheet.text(cell, x, sheet.y, { ...style, width, align });
    x += (COLUMNS[place] ?? 0) + (place === COLUMNS.length - 2 ? CELL : 0);
  });
}

const HEAD_HEIGHT = 16;
const TOTAL_HEIGHT = 40;

const rowHeight = (sheet: Sheet, { description }: LineItem): number =>
  sheet.heightOf(description, { width: COLUMNS[0] - CELL }) + 8;

/** Goes on on further pages, each of which begins with the names of the columns. */
function drawItems(sheet: Sheet, { terms }: KnownInvoice): void {
  const { locale, amount_usd_cents, description } = terms;
  const words = WORDS[locale];
  const total = formatUnits(BigInt(amount_usd_cents), CENT_PLACES);
  const items: readonly LineItem[] = terms.line_items ?? [
    { description, quantity: '1', unit_price: total },
  ];
  const head = (): void => {
    const names = [words.item, words.quantity, words.unit_price, words.amount];
    drawRow(sheet, names, { size: 8, color: GREY });
    sheet.y += HEAD_HEIGHT;
    sheet.line(sheet.y - 3);
  };
  const [first] = items;
  invariant(first, 'an invoice bills something');
  sheet.room(HEAD_HEIGHT + rowHeight(sheet, first) + TOTAL_HEIGHT);
  head();
  for (const item of items) {
    const height = rowHeight(sheet, item);
    if (sheet.room(height)) head();
    const amount = formatUnits(lineItemsTotal([item]), CENT_PLACES);
    const prices = [item.unit_price, amount].map((one) => money(locale, one));
    sheet.y += 4;
    drawRow(sheet, [item.description, number(locale, item.quantity), ...prices]);
    sheet.y += height;
    sheet.line(sheet.y - 3, '#e6e6e6');
  }
  sheet.room(TOTAL_HEIGHT);
  sheet.y += 8;
  sheet.text(words.total, LEFT, sheet.y, { size: 13, bold: true });
  sheet.y += sheet.text(money(locale, total), LEFT, sheet.y, { size: 13, bold: true, align: 'right' });
  sheet.y += GAP;
}

/** Only what can be paid shows how; what cannot says why. */
function drawPayment(sheet: Sheet, { terms, link }: KnownInvoice, status: string): void {
  const words = WORDS[terms.locale];
  if (link === null || (status !== 'sent' && status !== 'overdue')) {
    const note = words.note[status as keyof typeof words.note];
    sheet.room(24);
    sheet.text(note, LEFT, sheet.y, { bold: true });
    return;
  }
  sheet.room(QR_SIZE + 8);
  const { y } = sheet;
  const width = WIDTH - QR_SIZE - GAP;
  let below = y + sheet.text(words.how_to_pay, LEFT, y, { size: 12, bold: true, width }) + 4;
  below += sheet.text(words.pay(terms.token), LEFT, below, { width }) + 4;
  const address = sheet.text(link.payment_url, LEFT, below, { width, color: '#0b57d0' });
  sheet.pdf.link(LEFT, below, width, address, link.payment_url);
  drawCode(sheet, link.payment_url, RIGHT - QR_SIZE, y);
}

function drawCode({ pdf }: Sheet, text: string, x: number, y: number): void {
  const { size, rows } = qrCode(text);
  const side = QR_SIZE / size;
  rows.forEach((runs, line) => {
    for (const { from, width } of runs) {
      pdf.rect(x + from * side, y + line * side, width * side, side);
    }
  });
  pdf.fill('#000000');
}
