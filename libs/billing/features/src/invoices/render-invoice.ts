import {
  CENT_PLACES,
  type InvoiceEvent,
  type InvoiceFigures,
  type InvoiceTerms,
  type KnownInvoice,
} from '@tender/billing-domain';
import { sealedText, type InvoiceAnswer, type InvoiceSnapshot } from '@tender/contracts';
import { fromUnits, invariant } from '@tender/kernel';
import type { Recipient } from '../recipients/recipients';

export const usdOf = ({ amount_usd_cents }: InvoiceTerms): number =>
  fromUnits(BigInt(amount_usd_cents), CENT_PLACES);

/** What merchants are told of an invoice, all of which have a number. */
function told({ status, invoice_number }: Pick<InvoiceFigures, 'status' | 'invoice_number'>) {
  invariant(status !== 'unnumbered' && invoice_number, 'nobody is told of an invoice without a number');
  return { status, invoice_number };
}

/** An invoice as its merchant sees it. `customer`: null once erased. */
export function renderInvoice(invoice: KnownInvoice, customer: Recipient | null): InvoiceAnswer {
  const { terms, link, sent_at, paid_by } = invoice;
  const { status, invoice_number } = told(invoice);
  return {
    id: terms.invoice_id,
    invoice_number,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    amount_usd: usdOf(terms),
    currency: terms.currency,
    token: terms.token,
    description: terms.description,
    line_items:
      terms.line_items?.map(({ description, quantity, unit_price }) => ({
        description,
        quantity: Number(quantity),
        unit_price: Number(unit_price),
      })) ?? null,
    status,
    payment_url: link?.payment_url ?? null,
    due_date: terms.due_date,
    sent_at,
    paid_at: paid_by?.paid_at ?? null,
    created_at: terms.created_at,
    onramp: terms.onramp,
    payment_link_max_uses: terms.payment_link_max_uses,
    collect_customer_info: terms.collect_customer_info,
    payer_service_charge: terms.payer_service_charge,
    amount_ngn: terms.amount_ngn === null ? null : Number(terms.amount_ngn),
    locale: terms.locale,
    metadata: terms.metadata,
    mode: terms.mode,
  };
}

/** The same in public events: as it is right after the event, with its customer sealed. */
export function renderInvoiceFact({ data }: InvoiceEvent): InvoiceSnapshot {
  const { terms, customer, after } = data;
  const { subject_id, email_sealed, name_sealed } = customer;
  const { status, invoice_number } = told(after);
  return {
    invoice_id: terms.invoice_id,
    merchant_id: terms.merchant_id,
    invoice_number,
    customer_email: sealedText(subject_id, email_sealed),
    customer_name: name_sealed === undefined ? null : sealedText(subject_id, name_sealed),
    amount_usd: usdOf(terms),
    token: terms.token,
    status,
    payment_url: after.payment_url,
  };
}
