import {
  BOOK_NUMBERS,
  invoiceNumber,
  lineItemsTotal,
  type InvoiceEvent,
  type InvoiceNumberTaken,
} from '@tender/billing-domain';
import { invoiceIds, modeOf } from '@tender/contracts';
import {
  checkedKind,
  eachFault,
  loadHistories,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type CheckedObject,
  type InvariantCheck,
  type StoredEvent,
} from '@tender/eventing';
import { bookId, invoiceBook } from '../invoices/invoice-book.aggregate';
import { invoice } from '../invoices/invoice.aggregate';

const invoices = checkedKind(invoice);

const paidOnce: InvariantCheck = ownInvariant({
  id: 'M31',
  says: 'An invoice is paid at most once, and with line items it is what they sum to.',
  of: invoices,
  fault({ history }) {
    const events = ownEvents<InvoiceEvent>(history);
    const paid = events.filter(
      ({ type }) => type === 'InvoicePaid' || type === 'CancelledInvoicePaid',
    );
    if (paid.length > 1) return `it is paid ${paid.length} times`;
    const terms = events[0]?.data.terms;
    if (!terms?.line_items) return null;
    const total = lineItemsTotal(terms.line_items);
    return total === BigInt(terms.amount_usd_cents)
      ? null
      : `its items sum to ${total} cents, its amount is ${terms.amount_usd_cents}`;
  },
});

const NUMBERS = 'Numbers of invoices are 1, 2, 3 … per merchant, mode and year, without a gap or a double.';

const takenOf = (history: readonly StoredEvent[] = []) =>
  ownEvents<InvoiceNumberTaken>(history).map(({ data }) => data);

/** A book is begun when the one before is full, and gives each place to one invoice. */
const booksWithoutGaps: InvariantCheck = {
  id: 'M30',
  says: NUMBERS,
  of: checkedKind(invoiceBook),
  async find({ eventStore }, mode, objects) {
    /** The one that must be full; null for the first of a year. */
    const previousOf = (object: CheckedObject) => {
      const [name] = takenOf(object.history);
      if (!name || name.book === 0) return null;
      return invoiceBook.stream(mode, bookId({ ...name, book: name.book - 1 }));
    };
    const full = await loadHistories(eventStore, objects.flatMap((one) => previousOf(one) ?? []));
    return eachFault(objects, (object) => {
      const taken = takenOf(object.history);
      const gap = taken.find(({ sequence, book }, at) => sequence !== book * BOOK_NUMBERS + at + 1);
      if (gap) return `number ${gap.sequence} is in the place of another`;
      if (taken.length > BOOK_NUMBERS) return `it has ${taken.length} numbers`;
      if (new Set(taken.map(({ invoice_id }) => invoice_id)).size < taken.length) {
        return 'an invoice has two of its numbers';
      }
      const previous = previousOf(object);
      if (previous === null) return null;
      const count = takenOf(full.get(previous)).length;
      return count === BOOK_NUMBERS ? null : `the book before it has ${count} numbers`;
    });
  },
};

/** An invoice has the number that its book gave it, and a book gives it to no other. */
const numberOfItsBook: InvariantCheck = {
  id: 'M30',
  says: NUMBERS,
  of: invoices,
  async find({ eventStore }, mode, objects) {
    const books = objects.flatMap((object) => {
      const numbered = numberedIn(object);
      return numbered === null ? [] : invoiceBook.stream(mode, numbered.book);
    });
    const histories = await loadHistories(eventStore, books);
    return eachFault(objects, (object) => {
      const numbered = numberedIn(object);
      if (numbered === null) return null;
      const taken = takenOf(histories.get(invoiceBook.stream(mode, numbered.book)));
      const own = taken.find(({ sequence }) => sequence === numbered.sequence);
      if (own?.invoice_id !== object.id) return `number ${numbered.sequence} is not its own`;
      const { after, terms } = numbered.created;
      const number = invoiceNumber(terms, numbered.sequence);
      const { invoice_number: shown } = after;
      return shown === number ? null : `it shows ${shown}, its number is ${number}`;
    });
  },
};

type Created = Extract<InvoiceEvent, { readonly type: 'InvoiceCreated' }>['data'];

/** Null while it has no number. */
function numberedIn(
  object: CheckedObject,
): { readonly book: string; readonly sequence: number; readonly created: Created } | null {
  const created = ownEvents<InvoiceEvent>(object.history).find(
    (event): event is Extract<InvoiceEvent, { readonly type: 'InvoiceCreated' }> =>
      event.type === 'InvoiceCreated',
  )?.data;
  if (!created) return null;
  const { sequence, terms } = created;
  const { merchant_id, mode, created_at } = terms;
  const number = Math.floor((sequence - 1) / BOOK_NUMBERS);
  const book = bookId({ merchant_id, mode, year: created_at.slice(0, 4), book: number });
  return { book, sequence, created };
}

export const invoiceInvariants: readonly InvariantCheck[] = [
  paidOnce,
  booksWithoutGaps,
  numberOfItsBook,
  ofOneMode(invoices, (id) => modeOf(invoiceIds, id)),
];
