import { specificationOf } from '@tender/eventing/testing';
import { decide } from '@tender/kernel';
import fc from 'fast-check';
import { invoiceDecider } from './decide-invoice';
import {
  BOOK_NUMBERS,
  invoiceBookDecider,
  numberingStep,
  UNKNOWN_INVOICE_BOOK,
  type InvoiceBook,
  type InvoiceNumberTaken,
  type TakeInvoiceNumbers,
} from './invoice-book';
import { UNKNOWN_INVOICE, type Invoice, type InvoiceEvent, type KnownInvoice } from './invoice';
import history from './recorded/invoice-book-v1.json';
import { draft, DRAFTED, numberInvoice } from './testing/an-invoice';

const given = specificationOf(invoiceBookDecider);
const Taken = history.InvoiceNumberTaken as InvoiceNumberTaken;
const { invoice_id: _, sequence: __, taken_at: ___, ...name } = Taken.data;
const take = (
  invoice_ids: readonly string[],
  book = 0,
  is_previous_full = false,
): TakeInvoiceNumbers => ({
  ...{ type: 'TakeInvoiceNumbers', name: { ...name, book }, invoice_ids, is_previous_full, now: DRAFTED },
});
const taken = (invoice_id: string, sequence: number, book = 0): InvoiceNumberTaken => ({
  ...{ type: 'InvoiceNumberTaken', data: { ...name, book, invoice_id, sequence, taken_at: DRAFTED } },
});
const full = Array.from({ length: BOOK_NUMBERS }, (_unused, n) => taken(`inv_${n}`, n + 1));

test('a recorded history of version 1 folds as it did', () =>
  expect(invoiceBookDecider.evolve(UNKNOWN_INVOICE_BOOK, Taken)).toEqual({
    ...{ status: 'open', book: 0, taken: ['inv_test_0000000000000000000007'] },
  }));

describe('the table', () => {
  test('the first, the next, and several at once', () => {
    given().when(take(['a'])).then(taken('a', 1));
    given(taken('a', 1)).when(take(['b'])).then(taken('b', 2));
    given(taken('a', 1)).when(take(['c', 'b'])).then(taken('c', 2), taken('b', 3));
  });
  test('an invoice that has one gets no other, asked again or twice at once', () => {
    given(taken('a', 1)).when(take(['a'])).then();
    given(taken('a', 1)).when(take(['a', 'b', 'b'])).then(taken('b', 2));
  });
  test('as far as there are any; then it is full, but still says who has one', () => {
    const almost = full.slice(0, -1);
    given(...almost).when(take(['a', 'b'])).then(taken('a', BOOK_NUMBERS));
    given(...full).when(take(['a'])).thenRefused('book_full');
    given(...full).when(take(['inv_42'])).then();
  });
  test('the next one is begun once the one before is full, and goes on from its last number', () => {
    given().when(take(['a'], 1)).thenRefused('previous_book_open');
    given().when(take(['a'], 1, true)).then(taken('a', BOOK_NUMBERS + 1, 1));
  });
});

/** Streams, writers and deaths: what the log holds, and who reads and appends at which revision. */
interface Log {
  readonly invoices: Map<string, InvoiceEvent[]>;
  readonly books: Map<number, InvoiceNumberTaken[]>;
}
const invoiceOf = ({ invoices }: Log, id: string): Invoice =>
  (invoices.get(id) ?? []).reduce(invoiceDecider.evolve, UNKNOWN_INVOICE);
/** Folded once for each state of its stream. */
const folded = new WeakMap<readonly InvoiceNumberTaken[], InvoiceBook>();
function bookOf({ books }: Log, book: number): InvoiceBook {
  const stream = books.get(book);
  if (!stream) return UNKNOWN_INVOICE_BOOK;
  const { evolve, initial } = invoiceBookDecider;
  const state = folded.get(stream) ?? stream.reduce(evolve, initial);
  folded.set(stream, state);
  return state;
}

/** Appends at the revision that was read; another writer may have been faster. */
function append<Key, Event>(
  streams: Map<Key, Event[]>,
  key: Key,
  read: number,
  events: readonly Event[],
): void {
  const stream = streams.get(key) ?? [];
  if (stream.length !== read) return;
  streams.set(key, [...stream, ...events]);
}

/**
 * A worker that brings an invoice to its number, as far as it lives: each `next()` is one read, or one append of what
 * was decided by what it read before.
 */
function* writer(log: Log, invoice_id: string, hint: number): Generator<void> {
  if (!log.invoices.has(invoice_id)) {
    yield;
    const command = draft({ invoice_id }, 99_999_999n, hint);
    const drafted = decide(invoiceDecider, command, UNKNOWN_INVOICE);
    if (drafted.ok) append(log.invoices, invoice_id, 0, drafted.events);
  }
  for (;;) {
    yield;
    const invoice = invoiceOf(log, invoice_id) as KnownInvoice;
    const invoice_read = log.invoices.get(invoice_id)?.length ?? 0;
    yield;
    const book = bookOf(log, invoice.book);
    const book_read = log.books.get(invoice.book)?.length ?? 0;
    const is_previous_full = invoice.book > 0 && bookOf(log, invoice.book - 1).status === 'full';
    const next = numberingStep(invoice, book);
    if (next === null) return;
    yield;
    if (next.step === 'take') {
      const command = take([invoice_id], invoice.book, is_previous_full);
      const decision = decide(invoiceBookDecider, command, book);
      if (decision.ok) append(log.books, invoice.book, book_read, decision.events);
    } else {
      const command =
        next.step === 'turn'
          ? ({ type: 'TurnInvoiceBook', full_book: invoice.book } as const)
          : numberInvoice(next.sequence);
      const decision = decide(invoiceDecider, command, invoice);
      if (decision.ok) append(log.invoices, invoice_id, invoice_read, decision.events);
    }
  }
}

test('500 at once, on two processes, killed anywhere and begun again: 1 to 500, no gap and no double', () => {
  const COUNT = 500;
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat({ max: 2 ** 30 })), (chances) => {
      const chance = (below: number): number => (chances.next().value as number) % below;
      const log: Log = { invoices: new Map(), books: new Map() };
      /** A book that has been begun, but not always the newest: what a replica happens to know. */
      const hint = (): number => {
        const isBegun = (book: number) => book === 0 || bookOf(log, book - 1).status === 'full';
        const begun = [...log.books.keys()].filter(isBegun);
        return begun.length === 0 ? 0 : (begun[chance(begun.length)] as number);
      };
      const ids = Array.from({ length: COUNT }, (_unused, n) => `inv_test_${n}`);
      // Two processes, each with a request for every invoice: the same one sent again.
      const alive = [...ids, ...ids].map((id) => ({ id, run: writer(log, id, hint()) }));
      while (alive.length > 0) {
        const place = chance(alive.length);
        const one = alive[place] as (typeof alive)[number];
        if (one.run.next().done) alive.splice(place, 1);
        // Killed: all that it had read is gone, and another one begins anew.
        else if (chance(20) === 0) alive[place] = { id: one.id, run: writer(log, one.id, hint()) };
      }
      const numbers = ids.map((id) => (invoiceOf(log, id) as KnownInvoice).invoice_number);
      const expected = ids.map((_unused, n) => `INV-2026-${String(n + 1).padStart(6, '0')}`);
      expect(numbers.toSorted()).toEqual(expected);
      const given_out = [...log.books.values()].flat().map(({ data }) => data.sequence);
      const in_order = given_out.toSorted((one, other) => one - other);
      expect(in_order).toEqual(ids.map((_unused, n) => n + 1));
    }),
    { numRuns: 3 },
  );
});
