import { accept, fromUnits, refuse, type Decider, type Decision, type Refused } from '@tender/kernel';
import { aboveMaximum, CENT_PLACES } from './amount-max';
import type { PaidBy, SealedRecipient } from './charge';
import {
  evolveInvoice,
  figuresOfInvoice,
  invoiceAfter,
  invoiceNumber,
  newInvoice,
  UNKNOWN_INVOICE,
  type Invoice,
  type InvoiceEvent,
  type InvoiceFact,
  type InvoiceLink,
  type InvoiceTerms,
  type KnownInvoice,
} from './invoice';
import { lineItemsTotal } from './invoice-amount';
import { invoiceDueAt } from './invoice-times';
import { remindableAt } from './reminders';

export interface DraftInvoice {
  readonly type: 'DraftInvoice';
  readonly terms: InvoiceTerms;
  readonly customer: SealedRecipient;
  /** Where it takes its number: a book of its year that has been begun, or the first. */
  readonly book: number;
  /** What the merchant may ask for at most, cents. */
  readonly amount_max: bigint;
}
/** That book is full without it. */
export interface TurnInvoiceBook {
  readonly type: 'TurnInvoiceBook';
  readonly full_book: number;
}
/** It has taken that number. */
export interface NumberInvoice {
  readonly type: 'NumberInvoice';
  readonly sequence: number;
}
/** The link with that id is asked for next, to send it. */
export interface AskInvoiceLink {
  readonly type: 'AskInvoiceLink';
  readonly payment_link_id: string;
}
export interface SendInvoice {
  readonly type: 'SendInvoice';
  readonly link: InvoiceLink;
  /** ISO 8601, business time. */
  readonly now: string;
}
export interface RemindInvoice {
  readonly type: 'RemindInvoice';
  readonly now: string;
}
/** The night in which it is overdue has come. */
export interface AdvanceInvoice {
  readonly type: 'AdvanceInvoice';
  readonly due_at: string;
}
/** A payment by its link is confirmed. */
export interface PayInvoice {
  readonly type: 'PayInvoice';
  readonly paid_by: PaidBy;
  readonly now: string;
}
export interface CancelInvoice {
  readonly type: 'CancelInvoice';
  readonly now: string;
}

/** What happens to an invoice, by the type of the command. Each arrow that is not here is refused by name. */
export const invoiceDecider = {
  initial: UNKNOWN_INVOICE,
  evolve: evolveInvoice,
  decide: {
    DraftInvoice: draftInvoice,
    TurnInvoiceBook: turnInvoiceBook,
    NumberInvoice: numberInvoice,
    AskInvoiceLink: askInvoiceLink,
    SendInvoice: sendInvoice,
    RemindInvoice: remindInvoice,
    AdvanceInvoice: advanceInvoice,
    PayInvoice: payInvoice,
    CancelInvoice: cancelInvoice,
  },
} satisfies Decider<Invoice, InvoiceEvent>;

/** `invoice_unnumbered`: what was left half done when a process died is done first, then this again. */
type Missing = 'invoice_unknown' | 'invoice_unnumbered';

const numbered = (
  state: Invoice,
): Refused<Missing> | { readonly ok: true; readonly invoice: KnownInvoice } => {
  if (state.status === 'unknown') return refuse('invoice_unknown');
  if (state.status === 'unnumbered') return refuse('invoice_unnumbered');
  return { ok: true, invoice: state };
};

const wrongState = ({ status }: KnownInvoice): Refused<'invalid_invoice_state'> =>
  refuse('invalid_invoice_state', { status });

const nothing = () => accept<InvoiceEvent>();

function happens(invoice: KnownInvoice, fact: InvoiceFact) {
  const { terms, customer } = invoice;
  const after = figuresOfInvoice(invoiceAfter(invoice, fact));
  const data = { ...fact.data, terms, customer, after };
  return accept<InvoiceEvent>({ type: fact.type, data } as InvoiceEvent);
}

type Undraftable =
  | 'invoice_exists'
  | 'amount_too_large'
  | 'invoice_amount_mismatch'
  | 'amount_ngn_without_onramp';

function draftInvoice(
  { terms, customer, book, amount_max }: DraftInvoice,
  state: Invoice,
): Decision<InvoiceEvent, Undraftable> {
  if (state.status !== 'unknown') return refuse('invoice_exists');
  if (terms.amount_ngn !== null && !terms.onramp) return refuse('amount_ngn_without_onramp');
  const amount = BigInt(terms.amount_usd_cents);
  const refused = aboveMaximum(amount, amount_max) ?? mismatch(terms, amount);
  if (refused) return refused;
  return happens(newInvoice({ terms, customer, book }), { type: 'InvoiceDrafted', data: { book } });
}

function mismatch(
  { line_items }: InvoiceTerms,
  amount: bigint,
): Refused<'invoice_amount_mismatch'> | null {
  if (line_items === null) return null;
  const total = lineItemsTotal(line_items);
  if (total === amount) return null;
  return refuse('invoice_amount_mismatch', {
    amount_usd: fromUnits(amount, CENT_PLACES),
    line_items_total_usd: fromUnits(total, CENT_PLACES),
  });
}

/** Turned or numbered before: nothing is left to do. */
function turnInvoiceBook(
  { full_book }: TurnInvoiceBook,
  state: Invoice,
): Decision<InvoiceEvent, 'invoice_unknown'> {
  if (state.status === 'unknown') return refuse('invoice_unknown');
  if (state.status !== 'unnumbered' || state.book !== full_book) return nothing();
  return happens(state, { type: 'InvoiceBookTurned', data: { book: full_book + 1 } });
}

function numberInvoice(
  { sequence }: NumberInvoice,
  state: Invoice,
): Decision<InvoiceEvent, 'invoice_unknown' | 'invoice_number_differs'> {
  if (state.status === 'unknown') return refuse('invoice_unknown');
  if (state.status === 'unnumbered') {
    return happens(state, { type: 'InvoiceCreated', data: { sequence } });
  }
  const is_same = state.invoice_number === invoiceNumber(state.terms, sequence);
  return is_same ? nothing() : refuse('invoice_number_differs');
}

/** A draft alone gets one, and always the same. */
function askInvoiceLink(
  { payment_link_id }: AskInvoiceLink,
  state: Invoice,
): Decision<InvoiceEvent, Missing | 'invalid_invoice_state'> {
  const found = numbered(state);
  if (!found.ok) return found;
  const { invoice } = found;
  if (invoice.status !== 'draft') return wrongState(invoice);
  if (invoice.asked_link_id === payment_link_id) return nothing();
  return happens(invoice, { type: 'InvoiceLinkAsked', data: { payment_link_id } });
}

function sendInvoice(
  { link, now }: SendInvoice,
  state: Invoice,
): Decision<InvoiceEvent, Missing | 'invoice_already_sent' | 'invalid_invoice_state'> {
  const found = numbered(state);
  if (!found.ok) return found;
  const { status } = found.invoice;
  if (status === 'sent' || status === 'overdue') return refuse('invoice_already_sent', { status });
  if (status !== 'draft') return wrongState(found.invoice);
  return happens(found.invoice, { type: 'InvoiceSent', data: { link, sent_at: now } });
}

function remindInvoice(
  { now }: RemindInvoice,
  state: Invoice,
): Decision<InvoiceEvent, Missing | 'invalid_invoice_state' | 'too_many_reminders'> {
  const found = numbered(state);
  if (!found.ok) return found;
  const { status } = found.invoice;
  if (status !== 'sent' && status !== 'overdue') return wrongState(found.invoice);
  const next = remindableAt(found.invoice);
  if (next !== null && now < next) return refuse('too_many_reminders', { next_reminder_at: next });
  return happens(found.invoice, { type: 'InvoiceReminded', data: { reminded_at: now } });
}

/** Paid or cancelled in the last moment: nothing is left to do. */
function advanceInvoice(
  { due_at }: AdvanceInvoice,
  state: Invoice,
): Decision<InvoiceEvent, Missing | 'not_due_yet'> {
  const found = numbered(state);
  if (!found.ok) return found;
  const next = invoiceDueAt(found.invoice);
  if (next === null) return nothing();
  if (due_at < next) return refuse('not_due_yet', { due_at: next });
  return happens(found.invoice, { type: 'InvoiceOverdue', data: { overdue_at: due_at } });
}

/** It is paid once; what more its link takes while it closes pays nothing. */
function payInvoice(
  { paid_by, now }: PayInvoice,
  state: Invoice,
): Decision<InvoiceEvent, Missing | 'invalid_invoice_state' | 'invoice_already_paid'> {
  const found = numbered(state);
  if (!found.ok) return found;
  const { invoice } = found;
  if (invoice.paid_by?.payment_id === paid_by.payment_id) return nothing();
  if (invoice.paid_by !== null) return refuse('invoice_already_paid');
  if (invoice.link === null && invoice.asked_link_id === null) return wrongState(invoice);
  const type = invoice.status === 'cancelled' ? 'CancelledInvoicePaid' : 'InvoicePaid';
  return happens(invoice, { type, data: { paid_by, recorded_at: now } });
}

function cancelInvoice(
  { now }: CancelInvoice,
  state: Invoice,
): Decision<InvoiceEvent, Missing | 'invoice_not_cancellable'> {
  const found = numbered(state);
  if (!found.ok) return found;
  const { status } = found.invoice;
  if (status === 'paid' || status === 'cancelled') return refuse('invoice_not_cancellable', { status });
  return happens(found.invoice, { type: 'InvoiceCancelled', data: { cancelled_at: now } });
}
