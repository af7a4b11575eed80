import type { InvoiceTerms, LineItem } from '@tender/billing-domain';
import { invoiceIds, newId, type CreateInvoiceBody, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { minorUnits, timeWithinTenYears } from '@tender/http';
import { decimalOf, formatUnits, isoTime } from '@tender/kernel';

/** All that is fixed at creation. The id derives from the request (ADR 0003). Throws 400. */
export function newInvoice(
  { clock }: Pick<Runtime, 'clock'>,
  { merchant_id, mode, id_seed }: RequestContext,
  body: CreateInvoiceBody,
): InvoiceTerms {
  const { due_date } = body;
  const now_ms = clock.now();
  return {
    invoice_id: newId(invoiceIds, mode, Buffer.from(id_seed, 'hex')),
    merchant_id,
    mode,
    amount_usd_cents: minorUnits(body.amount).toString(),
    currency: 'USD',
    token: body.token ?? 'USDC',
    description: body.description,
    line_items: body.line_items?.map(exactItem) ?? null,
    due_date: due_date == null ? null : timeWithinTenYears('due_date', due_date, now_ms),
    metadata: body.metadata ?? {},
    onramp: false,
    amount_ngn: null,
    payer_service_charge: false,
    payment_link_max_uses: body.payment_link_max_uses ?? null,
    collect_customer_info: body.collect_customer_info ?? false,
    locale: body.locale ?? 'en',
    created_at: isoTime(now_ms),
  };
}

const exactItem = ({
  description,
  quantity,
  unit_price,
}: NonNullable<CreateInvoiceBody['line_items']>[number]): LineItem => ({
  ...{ description, quantity: exact(quantity), unit_price: exact(unit_price) },
});

function exact(value: number): string {
  const { units, scale } = decimalOf(value);
  return formatUnits(units, scale);
}
