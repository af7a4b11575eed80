import { Controller, Inject, Param } from '@nestjs/common';
import { getInvoice, getMyInvoice, type InvoiceAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { ownInvoice } from '../invoices/own-invoice';
import { renderInvoice } from '../invoices/render-invoice';
import { openRecipient } from '../recipients/recipients';

@Controller()
export class GetInvoiceHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getInvoice)
  async get(@Caller() caller: RequestContext, @Param('id') id: string): Promise<InvoiceAnswer> {
    const known = await ownInvoice(this.runtime, caller, id);
    return renderInvoice(known, await openRecipient(this.runtime, known.customer));
  }

  @Serves(getMyInvoice)
  getMine(@Caller() caller: RequestContext, @Param('id') id: string): Promise<InvoiceAnswer> {
    return this.get(caller, id);
  }
}
