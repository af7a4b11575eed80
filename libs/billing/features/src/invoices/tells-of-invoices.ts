import type { InvoiceEvent } from '@tender/billing-domain';
import {
  invoiceCancelled,
  invoiceCreated,
  invoiceDrafted,
  invoiceOverdue,
  invoicePaid,
  invoiceSent,
} from '@tender/contracts';
import { tells, type Publications } from '@tender/eventing';
import { renderInvoiceFact } from './render-invoice';

/** The invoice right after the event. */
const invoiceAt = (event: InvoiceEvent) => ({ invoice: renderInvoiceFact(event) });

/** What merchants hear of invoices. */
export const tellsOfInvoices: Publications<Exclude<InvoiceEvent, { readonly type: 'InvoiceReminded' }>> = {
  InvoiceDrafted: tells(invoiceDrafted, ({ data: { terms } }) => ({
    invoice_id: terms.invoice_id,
    mode: terms.mode,
  })),
  InvoiceBookTurned: 'private',
  InvoiceCreated: tells(invoiceCreated, invoiceAt),
  InvoiceLinkAsked: 'private',
  InvoiceSent: tells(invoiceSent, invoiceAt),
  InvoiceOverdue: tells(invoiceOverdue, invoiceAt),
  InvoicePaid: tells(invoicePaid, invoiceAt),
  InvoiceCancelled: tells(invoiceCancelled, invoiceAt),
  CancelledInvoicePaid: 'private',
};
