import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { InvoiceLink, invoiceDecider, KnownInvoice, SendInvoice } from '@tender/billing-domain';
import {
  sendInvoice,
  sendMyInvoice,
  type RequestContext,
  type SendInvoiceAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { closeLink } from '../charges/close-charges';
import { invoice } from '../invoices/invoice.aggregate';
import { MISSING } from '../invoices/invoice-refusals';
import { ownInvoice } from '../invoices/own-invoice';
import { openRecipient } from '../recipients/recipients';
import { openInvoiceLink } from './invoice-link';
import { renderSent } from './render-sent';

const REFUSALS: RefusalAnswers<RefusalOf<typeof invoiceDecider, SendInvoice>> = {
  ...MISSING,
  invoice_already_sent: [
    409,
    'invoice_already_sent',
    'The invoice was sent before. To send it once more, ask for a reminder.',
  ],
  invalid_invoice_state: [
    409,
    'invalid_invoice_state',
    'Only a draft can be sent. Look at the invoice’s status; where it has ended, create another.',
  ],
};

/** Of an invoice that is no draft: it is refused before anything looks at its link. */
const NO_LINK: InvoiceLink = { payment_link_id: '', link_code: '', payment_url: '' };

@Controller()
export class SendInvoiceHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** The link first, which derives from the invoice: whatever dies between the two, there is no second one. */
  @Serves(sendInvoice)
  async send(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendInvoiceAnswer> {
    const known = await ownInvoice(this.runtime, caller, id);
    const link = await this.linkOf(known, caller);
    const { handled } = await invoice.request(this.runtime, caller, () => ({
      ...{ id, subject_ids: [known.customer.subject_id] },
      command: { type: 'SendInvoice', link, now: isoTime(this.runtime.clock.now()) } as const,
    }));
    // Cancelled meanwhile: no customer is to pay by a link that was made for nothing.
    if (!handled.ok && handled.refusal === 'invalid_invoice_state' && link !== NO_LINK) {
      await closeLink(this.runtime, caller, link.payment_link_id);
    }
    const { state } = accepted(handled, REFUSALS, reply);
    return renderSent(state, await openRecipient(this.runtime, state.customer));
  }

  @Serves(sendMyInvoice)
  sendMine(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendInvoiceAnswer> {
    return this.send(caller, id, reply);
  }

  private async linkOf(known: KnownInvoice, { mode, correlation_id }: RequestContext) {
    // The row may be behind: a draft that was cancelled just now gets no link.
    const now = await invoice.load(this.runtime, mode, known.terms.invoice_id);
    return now?.status === 'draft' ? openInvoiceLink(this.runtime, now, correlation_id) : NO_LINK;
  }
}
