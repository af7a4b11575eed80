import { Controller, Inject, Param, Res } from '@nestjs/common';
import { describeMerchant, getInvoicePdf, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { ownInvoice } from '../invoices/own-invoice';
import { openRecipient } from '../recipients/recipients';
import { InvoicePrinter } from './invoice-printer';

@Controller()
export class GetInvoicePdfHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(InvoicePrinter) private readonly printer: InvoicePrinter,
  ) {}

  @Serves(getInvoicePdf)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    const invoice = await ownInvoice(this.runtime, caller, id);
    const { merchant_id } = caller;
    const merchant = await this.runtime.calls.ask(describeMerchant, { merchant_id }, caller);
    invariant(merchant, 'the caller is a merchant');
    const customer = await openRecipient(this.runtime, invoice.customer);
    // Before its headers: a refusal to print is JSON.
    const pdf = await this.printer.print({ invoice, merchant, customer });
    void reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', `inline; filename="${invoice.invoice_number}.pdf"`);
    return pdf;
  }
}
