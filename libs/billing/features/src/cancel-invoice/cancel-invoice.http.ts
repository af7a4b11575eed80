import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { CancelInvoice, invoiceDecider } from '@tender/billing-domain';
import {
  cancelInvoice,
  voidInvoice,
  type InvoiceAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { invoice } from '../invoices/invoice.aggregate';
import { MISSING } from '../invoices/invoice-refusals';
import { ownInvoice } from '../invoices/own-invoice';
import { renderInvoice } from '../invoices/render-invoice';
import { openRecipient } from '../recipients/recipients';

const REFUSALS: RefusalAnswers<RefusalOf<typeof invoiceDecider, CancelInvoice>> = {
  ...MISSING,
  invoice_not_cancellable: [
    409,
    'invoice_not_cancellable',
    'A paid or cancelled invoice stays as it is. Look at its status.',
  ],
};

@Controller()
export class CancelInvoiceHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(cancelInvoice)
  async cancel(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvoiceAnswer> {
    const { customer } = await ownInvoice(this.runtime, caller, id);
    const { handled } = await invoice.request(this.runtime, caller, () => ({
      ...{ id, subject_ids: [customer.subject_id] },
      command: { type: 'CancelInvoice', now: isoTime(this.runtime.clock.now()) } as const,
    }));
    const { state } = accepted(handled, REFUSALS, reply);
    return renderInvoice(state, await openRecipient(this.runtime, customer));
  }

  @Serves(voidInvoice)
  void(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvoiceAnswer> {
    return this.cancel(caller, id, reply);
  }
}
