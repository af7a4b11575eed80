import type { Mode, Token } from '@tender/kernel';
import type { Locale, PaidBy, SealedRecipient } from './charge';
import type { EventOf, FactOf } from './happened';
import type { LineItem } from './invoice-amount';
import { remindedAt, type Remindable } from './reminders';

/** What an invoice is about: fixed when it is made. Times are ISO 8601 with milliseconds, UTC. */
export interface InvoiceTerms {
  readonly invoice_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly amount_usd_cents: string;
  readonly currency: 'USD';
  readonly token: Token;
  readonly description: string;
  /** Null: none; with them, they sum to the amount. */
  readonly line_items: readonly LineItem[] | null;
  readonly due_date: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly onramp: boolean;
  /** Exact decimal text; only with `onramp`. */
  readonly amount_ngn: string | null;
  readonly payer_service_charge: boolean;
  /** Null: one. */
  readonly payment_link_max_uses: number | null;
  readonly collect_customer_info: boolean;
  readonly locale: Locale;
  readonly created_at: string;
}

/** The link by which it is paid. */
export interface InvoiceLink {
  readonly payment_link_id: string;
  readonly link_code: string;
  readonly payment_url: string;
}

export type InvoiceStatus = 'unnumbered' | 'draft' | 'sent' | 'overdue' | 'paid' | 'cancelled';

/** What an event leaves, of what merchants are told of an invoice. */
export interface InvoiceFigures {
  readonly status: InvoiceStatus;
  readonly invoice_number: string | null;
  readonly payment_url: string | null;
}

interface InvoiceFacts {
  /** It has no number yet, and no merchant has seen it. */
  readonly InvoiceDrafted: {
    /** The book in which it takes its number, from 0 on: see `invoice-book.ts`. */
    readonly book: number;
  };
  /** That book was full without it. */
  readonly InvoiceBookTurned: { readonly book: number };
  /** It has its number. */
  readonly InvoiceCreated: { readonly sequence: number };
  /** The link with that id is asked for, to send it: what pays by it is known, whatever dies before it is sent. */
  readonly InvoiceLinkAsked: { readonly payment_link_id: string };
  readonly InvoiceSent: { readonly link: InvoiceLink; readonly sent_at: string };
  readonly InvoiceReminded: { readonly reminded_at: string };
  readonly InvoiceOverdue: { readonly overdue_at: string };
  readonly InvoicePaid: { readonly paid_by: PaidBy; readonly recorded_at: string };
  readonly InvoiceCancelled: { readonly cancelled_at: string };
  /** A payment that was under way when it was cancelled: the money counts, it stays cancelled. */
  readonly CancelledInvoicePaid: { readonly paid_by: PaidBy; readonly recorded_at: string };
}

/** What has happened. */
export type InvoiceFact = FactOf<InvoiceFacts>;

export type InvoiceEvent = EventOf<
  InvoiceFacts,
  {
    readonly terms: InvoiceTerms;
    readonly customer: SealedRecipient;
    readonly after: InvoiceFigures;
  }
>;

export interface KnownInvoice extends Remindable {
  readonly status: InvoiceStatus;
  readonly terms: InvoiceTerms;
  readonly customer: SealedRecipient;
  readonly book: number;
  readonly invoice_number: string | null;
  /** Of a link that was asked for, be it there or not. */
  readonly asked_link_id: string | null;
  readonly link: InvoiceLink | null;
  readonly sent_at: string | null;
  readonly paid_by: PaidBy | null;
  readonly updated_at: string;
}
export type Invoice = { readonly status: 'unknown' } | KnownInvoice;

export const UNKNOWN_INVOICE: Invoice = { status: 'unknown' };

/** `INV-2026-000001`: the year is that of its creation, UTC. */
export const invoiceNumber = ({ created_at }: InvoiceTerms, sequence: number): string =>
  `INV-${created_at.slice(0, 4)}-${sequence.toString().padStart(6, '0')}`;

/** The fold: of the decider, of the row and of a GET by id alike. */
export function evolveInvoice(state: Invoice, event: InvoiceEvent): Invoice {
  if (event.type === 'InvoiceDrafted') return newInvoice(event.data);
  return state.status === 'unknown' ? state : invoiceAfter(state, event);
}

/** An invoice that nothing has happened to yet. */
export const newInvoice = ({
  terms,
  customer,
  book,
}: Pick<KnownInvoice, 'terms' | 'customer' | 'book'>): KnownInvoice => ({
  status: 'unnumbered',
  terms,
  customer,
  book,
  invoice_number: null,
  asked_link_id: null,
  link: null,
  sent_at: null,
  paid_by: null,
  updated_at: terms.created_at,
});

/** The invoice once this has happened to it. */
export function invoiceAfter(state: KnownInvoice, fact: InvoiceFact): KnownInvoice {
  switch (fact.type) {
    case 'InvoiceBookTurned':
      return { ...state, book: fact.data.book };
    case 'InvoiceCreated':
      return {
        ...state,
        status: 'draft',
        invoice_number: invoiceNumber(state.terms, fact.data.sequence),
      };
    case 'InvoiceLinkAsked':
      return { ...state, asked_link_id: fact.data.payment_link_id };
    case 'InvoiceSent': {
      const { link, sent_at } = fact.data;
      return { ...state, status: 'sent', link, sent_at, updated_at: sent_at };
    }
    case 'InvoiceReminded': {
      const { reminded_at: at } = fact.data;
      return { ...state, updated_at: at, reminded_at: remindedAt(state, at) };
    }
    case 'InvoiceOverdue':
      return { ...state, status: 'overdue', updated_at: fact.data.overdue_at };
    case 'InvoicePaid': {
      const { paid_by, recorded_at } = fact.data;
      return { ...state, status: 'paid', paid_by, updated_at: recorded_at };
    }
    case 'InvoiceCancelled':
      return { ...state, status: 'cancelled', updated_at: fact.data.cancelled_at };
    case 'CancelledInvoicePaid': {
      const { paid_by, recorded_at } = fact.data;
      return { ...state, paid_by, updated_at: recorded_at };
    }
    default:
      return state;
  }
}

export const figuresOfInvoice = ({
  status,
  invoice_number,
  link,
}: KnownInvoice): InvoiceFigures => ({
  status,
  invoice_number,
  payment_url: link?.payment_url ?? null,
});
