import { linkUsesOf, type InvoiceLink, type KnownInvoice } from '@tender/billing-domain';
import { openPaymentLink, type ClaimRefusal } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { RefusalAnswers } from '@tender/http';
import { refusalAnswer } from '@tender/http';
import { chargedInvoice } from '../invoices/charged-invoice';
import { usdOf } from '../invoices/render-invoice';
import { openRecipient } from '../recipients/recipients';

const REFUSALS: RefusalAnswers<ClaimRefusal> = {
  wallet_not_ready: [
    409,
    'wallet_not_ready',
    'The merchant has no wallet yet, so there is nowhere to pay to. Set one up, then send the invoice.',
  ],
  amount_too_large: [422, 'amount_too_large', 'The amount is above the merchant’s maximum by now.'],
  payment_blocked: [402, 'payment_blocked', 'The payment was blocked.'],
  invalid_parameter: [500, 'internal_error', 'Something went wrong on our side.'],
};

/**
 * The link that an invoice is paid by. Opened again, it is the same one. With one use it stands for the invoice, and
 * knows its customer, unless checkout is to ask for the details. Throws what payments refuses.
 */
export async function openInvoiceLink(
  runtime: Pick<Runtime, 'calls' | 'keyRing'>,
  invoice: KnownInvoice,
  correlation_id: string,
): Promise<InvoiceLink> {
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
    { mode, correlation_id, command_id: `billing.invoice-link|${terms.invoice_id}` },
  );
  if (!opened.ok) throw refusalAnswer(opened, REFUSALS);
  const { payment_link_id, link_code, hosted_page_url: payment_url } = opened.value;
  return { payment_link_id, link_code, payment_url };
}

const customerOf = ({ email, name }: { readonly email: string; readonly name: string | null }) =>
  name === null ? { email } : { email, name };
