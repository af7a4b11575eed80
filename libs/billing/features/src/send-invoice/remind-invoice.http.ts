import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { invoiceDecider, RemindInvoice } from '@tender/billing-domain';
import { remindInvoice, type RequestContext, type SendInvoiceAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { invoice } from '../invoices/invoice.aggregate';
import { MISSING } from '../invoices/invoice-refusals';
import { ownInvoice } from '../invoices/own-invoice';
import { openRecipient } from '../recipients/recipients';
import { renderSent } from './render-sent';

const REFUSALS: RefusalAnswers<RefusalOf<typeof invoiceDecider, RemindInvoice>> = {
  ...MISSING,
  invalid_invoice_state: [
    409,
    'invalid_invoice_state',
    'Only an invoice that was sent and is not paid can be sent again. Look at its status.',
  ],
};

@Controller()
export class RemindInvoiceHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** By the link that it has. */
  @Serves(remindInvoice)
  async remind(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SendInvoiceAnswer> {
    const { customer } = await ownInvoice(this.runtime, caller, id);
    const { handled } = await invoice.request(this.runtime, caller, () => ({
      ...{ id, subject_ids: [customer.subject_id] },
      command: { type: 'RemindInvoice', now: isoTime(this.runtime.clock.now()) } as const,
    }));
    const { state } = accepted(handled, REFUSALS, reply);
    return renderSent(state, await openRecipient(this.runtime, customer));
  }
}
