import { invoiceDecider } from './decide-invoice';
import {
  evolveInvoice,
  figuresOfInvoice,
  invoiceAfter,
  invoiceNumber,
  newInvoice,
  UNKNOWN_INVOICE,
  type InvoiceEvent,
  type KnownInvoice,
} from './invoice';
import history from './recorded/invoice-v1.json';
import { DRAFTED, LINK } from './testing/an-invoice';

type Recorded = { [One in InvoiceEvent as One['type']]: One };
const recorded = history as unknown as Recorded;
const { InvoiceDrafted: Drafted, InvoiceCreated: Created, InvoiceSent: Sent } = recorded;
const fold = (...events: readonly InvoiceEvent[]) =>
  events.reduce(evolveInvoice, UNKNOWN_INVOICE) as KnownInvoice;
const { terms, customer } = Drafted.data;

describe('a recorded history of version 1 folds as it did', () => {
  const drafted = {
    ...{ status: 'unnumbered', terms, customer, book: 0, invoice_number: null },
    ...{ asked_link_id: null, link: null, sent_at: null, paid_by: null, updated_at: DRAFTED },
  };
  const sent_at = '2026-01-02T10:00:00.000Z';
  const draft = { ...drafted, status: 'draft', book: 1, invoice_number: 'INV-2026-000107' };
  const sent = { ...draft, status: 'sent', link: LINK, sent_at, updated_at: sent_at };
  const begun = [Drafted, recorded.InvoiceBookTurned, Created];
  test('from the beginning to payment', () => {
    expect(fold(Drafted)).toEqual(drafted);
    expect(fold(Drafted, recorded.InvoiceBookTurned)).toEqual({ ...drafted, book: 1 });
    expect(fold(...begun)).toEqual(draft);
    const asked = { ...draft, asked_link_id: LINK.payment_link_id };
    expect(fold(...begun, recorded.InvoiceLinkAsked)).toEqual(asked);
    expect(fold(...begun, Sent)).toEqual(sent);
    const reminded = [...begun, Sent, recorded.InvoiceReminded];
    const reminded_at = '2026-01-20T10:00:00.000Z';
    const again = { ...sent, reminded_at: [reminded_at] };
    expect(fold(...reminded)).toEqual({ ...again, updated_at: reminded_at });
    expect(fold(...reminded, recorded.InvoiceOverdue)).toEqual({
      ...{ ...again, status: 'overdue', updated_at: '2026-02-01T00:00:00.000Z' },
    });
    const paid_by = { payment_id: 'pay_test_1', paid_at: '2026-02-03T10:00:00.000Z' };
    expect(fold(...reminded, recorded.InvoiceOverdue, recorded.InvoicePaid)).toEqual({
      ...{ ...again, status: 'paid', paid_by, updated_at: '2026-02-03T10:00:00.000Z' },
    });
  });
  test('to its cancel, and what was paid after it', () => {
    const cancelled = { ...sent, status: 'cancelled', updated_at: '2026-01-03T10:00:00.000Z' };
    expect(fold(...begun, Sent, recorded.InvoiceCancelled)).toEqual(cancelled);
    const paid_by = { payment_id: 'pay_test_1', paid_at: '2026-01-03T10:01:00.000Z' };
    expect(fold(...begun, Sent, recorded.InvoiceCancelled, recorded.CancelledInvoicePaid)).toEqual({
      ...{ ...cancelled, paid_by, updated_at: '2026-01-03T10:01:00.000Z' },
    });
  });
});

test('each event has by itself what merchants see of it', () => {
  const life = [Drafted, recorded.InvoiceBookTurned, Created, Sent, recorded.InvoiceOverdue];
  for (const [n, event] of life.entries()) {
    expect(event.data.after).toEqual(figuresOfInvoice(fold(...life.slice(0, n + 1))));
    expect([event.data.terms, event.data.customer]).toEqual([terms, customer]);
  }
  expect(recorded.InvoicePaid.data.after).toEqual({
    ...{ status: 'paid', invoice_number: 'INV-2026-000107', payment_url: LINK.payment_url },
  });
});

test('an event of a later version, or of a stream that has not begun, changes nothing', () => {
  const noted = { ...Sent, type: 'InvoiceNoted' } as never;
  expect(invoiceAfter(fold(Drafted), noted)).toEqual(fold(Drafted));
  expect(fold(Sent)).toEqual(invoiceDecider.initial);
});

test('a row is a state', () => {
  const state = fold(Drafted, Created, Sent, recorded.InvoicePaid);
  expect(JSON.parse(JSON.stringify(state))).toEqual(state);
  expect(fold(Drafted)).toEqual(newInvoice({ terms, customer, book: 0 }));
});

test.each([
  ['2026-12-31T23:59:59.999Z', 1, 'INV-2026-000001'],
  ['2027-01-01T00:00:00.000Z', 999_999, 'INV-2027-999999'],
  ['2027-01-01T00:00:00.000Z', 1_000_000, 'INV-2027-1000000'],
])('made at %s, the %ith is %s', (created_at, sequence, number) => {
  expect(invoiceNumber({ ...terms, created_at }, sequence)).toBe(number);
});
