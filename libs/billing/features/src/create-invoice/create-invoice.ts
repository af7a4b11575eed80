import type { DraftInvoice, invoiceDecider } from '@tender/billing-domain';
import type { CreateInvoiceBody, InvoiceAnswer, RequestContext } from '@tender/contracts';
import { Inject, Injectable } from '@nestjs/common';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  refuseWhatIsNotBuilt,
  RUNTIME,
  tellPosition,
  type RefusalAnswers,
} from '@tender/http';
import type { RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { invoice } from '../invoices/invoice.aggregate';
import { InvoiceNumbers } from '../invoices/invoice-numbers';
import { renderInvoice } from '../invoices/render-invoice';
import { sealRecipient } from '../recipients/recipients';
import { newInvoice } from './new-invoice';

const REFUSALS: RefusalAnswers<RefusalOf<typeof invoiceDecider, DraftInvoice>> = {
  amount_too_large: [
    422,
    'amount_too_large',
    'The amount is above the merchant’s maximum. Bill less with one invoice.',
  ],
  invoice_amount_mismatch: [
    422,
    'invoice_amount_mismatch',
    'The line items do not sum to the amount. Send their total as the amount, or other line items.',
  ],
  amount_ngn_without_onramp: { field: 'amount_ngn', message: 'is only for invoices with onramp' },
  // An id derives from 128 bits of its request: where it exists, it is another request’s that cannot be.
  invoice_exists: [500, 'internal_error', 'Something went wrong on our side.'],
};

/** Makes an invoice: the draft first, then its number, so that a death between the two loses none. */
@Injectable()
export class CreateInvoice {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    private readonly numbers: InvoiceNumbers,
  ) {}

  async create(
    caller: RequestContext,
    body: CreateInvoiceBody,
    reply: FastifyReply,
  ): Promise<InvoiceAnswer> {
    refuseWhatIsNotBuilt(body, 'onramp', 'payer_service_charge');
    const recipient = { email: body.customer_email, name: body.customer_name ?? null };
    const { handled } = await invoice.request(this.runtime, caller, async (asked) => {
      const terms = newInvoice(this.runtime, asked, body);
      const customer = await sealRecipient(this.runtime, asked, recipient);
      const book = await this.numbers.newestBook(terms);
      const amount_max = BigInt(asked.amount_max);
      return {
        id: terms.invoice_id,
        command: { type: 'DraftInvoice', terms, customer, book, amount_max } as const,
        subject_ids: [customer.subject_id],
      };
    });
    const { state, repeated } = accepted(handled, REFUSALS, reply);
    const numbered = await this.numbers.number(state, caller.correlation_id);
    tellPosition(reply, { position: numbered.position, repeated });
    return renderInvoice(numbered.state, recipient);
  }
}
