import { linkUsesOf, type InvoiceLink, type KnownInvoice } from '@tender/billing-domain';
import { openedLinkId, openPaymentLink, type ClaimRefusal } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { done, type Outcome } from '@tender/kernel';
import { chargedInvoice } from '../invoices/charged-invoice';
import { usdOf } from '../invoices/render-invoice';
import { openRecipient } from '../recipients/recipients';

const commandOf = ({ terms }: KnownInvoice): string => `billing.invoice-link|${terms.invoice_id}`;

/** The id of the link that `openInvoiceLink` opens. */
export function invoiceLinkId({ keyRing }: Pick<Runtime, 'keyRing'>, invoice: KnownInvoice): string {
  const { terms } = invoice;
  return openedLinkId(keyRing, terms.mode, terms, commandOf(invoice));
}

/**
 * The link that an invoice is paid by. Opened again, it is the same one. With one use it stands for the invoice, and
 * knows its customer, unless checkout is to ask for the details. Refuses what payments does.
 */
export async function openInvoiceLink(
  runtime: Pick<Runtime, 'calls' | 'keyRing'>,
  invoice: KnownInvoice,
  correlation_id: string,
): Promise<Outcome<InvoiceLink, ClaimRefusal>> {
  const { terms } = invoice;
  const { merchant_id, mode, token, description, collect_customer_info } = terms;
  const max_uses = linkUsesOf(invoice);
  const is_for_one_thing = max_uses === 1;
  const customer = await openRecipient(runtime, invoice.customer);
  const knows_customer = is_for_one_thing && !collect_customer_info && customer !== null;
  const opened = await runtime.calls.ask(
    openPaymentLink,
    {
      ...{ merchant_id, amount: usdOf(terms), token, description, max_uses, is_for_one_thing },
      ...{ collect_customer_info, metadata: { [chargedInvoice.named_by]: terms.invoice_id } },
      ...(knows_customer ? { customer: customerOf(customer) } : {}),
    },
    { mode, correlation_id, command_id: commandOf(invoice) },
  );
  if (!opened.ok) return opened;
  const { payment_link_id, link_code, hosted_page_url: payment_url } = opened.value;
  return done({ payment_link_id, link_code, payment_url });
}

const customerOf = ({ email, name }: { readonly email: string; readonly name: string | null }) =>
  name === null ? { email } : { email, name };
