import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { InvoiceLink, invoiceDecider, KnownInvoice, SendInvoice } from '@tender/billing-domain';
import {
  sendInvoice,
  sendMyInvoice,
  type ClaimRefusal,
  type RequestContext,
  type SendInvoiceAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, refusalAnswer, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { closeLink } from '../charges/close-link';
import { invoice } from '../invoices/invoice.aggregate';
import { MISSING } from '../invoices/invoice-refusals';
import { ownInvoice } from '../invoices/own-invoice';
import { openRecipient } from '../recipients/recipients';
import { invoiceLinkId, openInvoiceLink } from './invoice-link';
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

const LINK_REFUSALS: RefusalAnswers<ClaimRefusal> = {
  wallet_not_ready: [
    409,
    'wallet_not_ready',
    'The merchant has no wallet yet, so there is nowhere to pay to. Set one up, then send the invoice.',
  ],
  amount_too_large: [422, 'amount_too_large', 'The amount is above the merchant’s maximum by now.'],
  payment_blocked: [402, 'payment_blocked', 'The payment was blocked.'],
  invalid_parameter: [500, 'internal_error', 'Something went wrong on our side.'],
};

/** Of an invoice that is no draft: it is refused before anything looks at its link. */
const NO_LINK: InvoiceLink = { payment_link_id: '', link_code: '', payment_url: '' };

@Controller()
export class SendInvoiceHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /**
   * The link first, which derives from the invoice: whatever dies between the two, there is no second one, and what is
   * paid by it pays the invoice.
   */
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

  private async linkOf(known: KnownInvoice, caller: RequestContext): Promise<InvoiceLink> {
    const { mode, correlation_id, actor } = caller;
    const { invoice_id, merchant_id } = known.terms;
    const payment_link_id = invoiceLinkId(this.runtime, known);
    const command = { type: 'AskInvoiceLink', payment_link_id } as const;
    const command_id = `billing.ask-invoice-link|${caller.command_id}`;
    // The row may be behind: a draft that was cancelled just now gets no link.
    const asked = await invoice.handle(this.runtime, mode, invoice_id, command, {
      ...{ command_id, body_hash: null, merchant_id, actor, correlation_id, causation_id: null },
      subject_ids: [known.customer.subject_id],
    });
    if (!asked.ok) return NO_LINK;
    const opened = await openInvoiceLink(this.runtime, asked.state, correlation_id);
    if (!opened.ok) throw refusalAnswer(opened, LINK_REFUSALS);
    return opened.value;
  }
}
