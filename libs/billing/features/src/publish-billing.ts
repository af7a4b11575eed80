import type { InvoiceEvent, PlanCreated, PlanEvent } from '@tender/billing-domain';
import {
  invoiceCancelled,
  invoiceCreated,
  invoiceDrafted,
  invoiceOverdue,
  invoicePaid,
  invoiceSent,
  planCreated,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import { renderInvoiceFact } from './invoices/render-invoice';
import { renderPlan } from './plans/render-plan';

/** A plan as it was created. */
const planAt = ({ data: { terms } }: PlanCreated) => ({
  plan: renderPlan({ status: 'active', terms, updated_at: terms.created_at }),
});

/** An invoice right after the event. */
const invoiceAt = (event: InvoiceEvent) => ({ invoice: renderInvoiceFact(event) });

/** What billing says in public of its events. */
export const publishBilling = publications<PlanEvent | InvoiceEvent>({
  PlanCreated: tells(planCreated, planAt),
  PlanDeactivated: 'private',
  PlanActivated: 'private',
  InvoiceDrafted: tells(invoiceDrafted, ({ data: { terms } }) => ({
    invoice_id: terms.invoice_id,
    mode: terms.mode,
  })),
  InvoiceBookTurned: 'private',
  InvoiceCreated: tells(invoiceCreated, invoiceAt),
  InvoiceSent: tells(invoiceSent, invoiceAt),
  InvoiceReminded: 'private',
  InvoiceOverdue: tells(invoiceOverdue, invoiceAt),
  InvoicePaid: tells(invoicePaid, invoiceAt),
  InvoiceCancelled: tells(invoiceCancelled, invoiceAt),
  CancelledInvoicePaid: 'private',
});
