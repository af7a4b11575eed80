import { linkUsesOf, type KnownInvoice } from '@tender/billing-domain';
import type { SendInvoiceAnswer } from '@tender/contracts';
import { invariant } from '@tender/kernel';
import { renderInvoice } from '../invoices/render-invoice';
import type { Recipient } from '../recipients/recipients';

/** What became of an invoice by sending it. */
export function renderSent(invoice: KnownInvoice, customer: Recipient | null): SendInvoiceAnswer {
  const { id, invoice_number, customer_email, payment_url, status, onramp } = renderInvoice(
    invoice,
    customer,
  );
  invariant(payment_url, 'an invoice that was sent has a link');
  return {
    success: true,
    invoice_id: id,
    invoice_number,
    sent_to: customer_email,
    payment_url,
    status,
    onramp,
    max_uses: linkUsesOf(invoice),
  };
}
