import { Controller, Inject, Query, Res } from '@nestjs/common';
import type { KnownInvoice } from '@tender/billing-domain';
import {
  listInvoices,
  listMyInvoices,
  type InvoiceAnswer,
  type PageQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { invoice } from '../invoices/invoice.aggregate';
import { renderInvoice } from '../invoices/render-invoice';
import { openRecipient } from '../recipients/recipients';

const invoices = listing({
  view: {
    ...{ schema: invoice.view.schema, follower: invoice.view.follower },
    table: `(select * from ${invoice.view.table} where status <> 'unnumbered')`,
  },
  show: ({ state }: { readonly state: KnownInvoice }) => state,
});

@Controller()
export class ListInvoicesHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listInvoices)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvoiceAnswer[]> {
    const rows = await invoices.array(this.runtime, caller, query, reply);
    return Promise.all(
      rows.map(async (row) => renderInvoice(row, await openRecipient(this.runtime, row.customer))),
    );
  }

  @Serves(listMyInvoices)
  listMine(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InvoiceAnswer[]> {
    return this.list(caller, query, reply);
  }
}
