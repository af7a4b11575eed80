import { accept, refuse, type Decider, type Decision, type Mode } from '@tender/kernel';
import type { KnownInvoice } from './invoice';

/**
 * Numbers of invoices, 1, 2, 3 … without a gap or a double: per merchant, mode and UTC year.
 *
 * The stream of a book owns its numbers: `invoicebook.<mode>-<merchant>:<year>:<book>`, 100 numbers to a book, so that
 * a merchant with many invoices does not make each one slower. A number is an event of that stream, appended at the
 * revision that was read: two writers never get the same one, and the next is one more than there are.
 *
 * No number is lost, because the invoice comes first: `InvoiceDrafted` is appended to its own stream before it takes a
 * number, and names the book where it takes it. Where a process dies between the two, or between the number and
 * `InvoiceCreated`, the next one goes on from what the two streams say (`numberingStep`), be it the same request sent
 * again or the reactor to `InvoiceDrafted`. A draft that is refused has taken no number.
 *
 * No invoice takes two, because it looks for itself in the book before it takes one, and turns to the next book, by an
 * event of its own stream, only once it has seen its book full without it: a full book never changes. A book is begun
 * only when the one before is full. Where the newest book is known (a row, memory), a draft begins there; a hint that
 * is too old costs turns, and none is too new.
 *
 * Many that wait at once take their numbers in one append: hand over all their ids.
 */
export const BOOK_NUMBERS = 100;

/** Which book. */
export interface BookName {
  readonly merchant_id: string;
  readonly mode: Mode;
  /** UTC. */
  readonly year: string;
  /** From 0 on. */
  readonly book: number;
}

export interface InvoiceNumberTaken {
  readonly type: 'InvoiceNumberTaken';
  readonly data: BookName & {
    readonly invoice_id: string;
    /** Of the year, from 1 on. */
    readonly sequence: number;
    readonly taken_at: string;
  };
}

/** The ids of the invoices, in the order of their numbers. */
export type InvoiceBook =
  | { readonly status: 'unknown' }
  | { readonly status: 'open' | 'full'; readonly book: number; readonly taken: readonly string[] };

export const UNKNOWN_INVOICE_BOOK: InvoiceBook = { status: 'unknown' };

export interface TakeInvoiceNumbers {
  readonly type: 'TakeInvoiceNumbers';
  readonly name: BookName;
  /** Drafts that name this book. */
  readonly invoice_ids: readonly string[];
  /** What the stream of the book before says; of the first one nothing is asked. */
  readonly is_previous_full: boolean;
  /** ISO 8601, business time. */
  readonly now: string;
}

/** What happens to a book of invoice numbers. */
export const invoiceBookDecider = {
  initial: UNKNOWN_INVOICE_BOOK,
  evolve: evolveInvoiceBook,
  decide: { TakeInvoiceNumbers: takeInvoiceNumbers },
} satisfies Decider<InvoiceBook, InvoiceNumberTaken>;

const takenIn = (book: InvoiceBook): readonly string[] =>
  book.status === 'unknown' ? [] : book.taken;

/** The number at that place of a book, from 0 on. */
const sequenceAt = (book: number, place: number): number => book * BOOK_NUMBERS + place + 1;

function evolveInvoiceBook(state: InvoiceBook, { data }: InvoiceNumberTaken): InvoiceBook {
  const taken = [...takenIn(state), data.invoice_id];
  const status = taken.length < BOOK_NUMBERS ? 'open' : 'full';
  return { status, book: data.book, taken };
}

/** One number for each that has none, as far as there are any. */
function takeInvoiceNumbers(
  { name, invoice_ids, is_previous_full, now }: TakeInvoiceNumbers,
  state: InvoiceBook,
): Decision<InvoiceNumberTaken, 'book_full' | 'previous_book_open'> {
  const taken = takenIn(state);
  const without = [...new Set(invoice_ids)].filter((invoice_id) => !taken.includes(invoice_id));
  if (without.length === 0) return accept<InvoiceNumberTaken>();
  if (state.status === 'full') return refuse('book_full');
  if (name.book > 0 && !is_previous_full) return refuse('previous_book_open');
  const numbered = without.slice(0, BOOK_NUMBERS - taken.length);
  return accept<InvoiceNumberTaken>(
    ...numbered.map((invoice_id, index): InvoiceNumberTaken => ({
      type: 'InvoiceNumberTaken',
      data: {
        ...name,
        invoice_id,
        sequence: sequenceAt(name.book, taken.length + index),
        taken_at: now,
      },
    })),
  );
}

/** What brings a draft nearer to its number, as its own stream and that of its book stand. */
export type NumberingStep =
  | { readonly step: 'take' }
  | { readonly step: 'turn' }
  | { readonly step: 'number'; readonly sequence: number };

/** Null: it has its number. */
export function numberingStep(invoice: KnownInvoice, book: InvoiceBook): NumberingStep | null {
  if (invoice.status !== 'unnumbered') return null;
  const place = takenIn(book).indexOf(invoice.terms.invoice_id);
  if (place >= 0) return { step: 'number', sequence: sequenceAt(invoice.book, place) };
  return book.status === 'full' ? { step: 'turn' } : { step: 'take' };
}
