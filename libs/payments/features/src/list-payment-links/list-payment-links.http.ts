import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listPaymentLinks,
  type PageQuery,
  type PaymentLinkAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { KnownPaymentLink } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { openCustomer, wholeCustomer } from '../customers/customers';
import { linkUses } from '../payment-links/link-uses.projection';
import { paymentLink } from '../payment-links/payment-link.aggregate';
import { renderPaymentLink } from '../payment-links/render-payment-link';

interface Row {
  readonly state: KnownPaymentLink;
  readonly uses: number;
}

const links = listing({
  view: paymentLink.view,
  columns: `state, coalesce((select uses::float8 from ${linkUses.table} as used
    where used.id = listed.id), 0) as uses`,
  show: (row: Row) => row,
});

@Controller()
export class ListPaymentLinksHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPaymentLinks)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentLinkAnswer[]> {
    const rows = await links.array(this.runtime, caller, query, reply);
    const now = isoTime(this.runtime.clock.now());
    return Promise.all(
      rows.map(async ({ state, uses }) => {
        const known = await openCustomer(this.runtime, state.customer);
        const customer = known && wholeCustomer(known);
        return renderPaymentLink(state, { uses, customer, now, to_owner: true });
      }),
    );
  }
}
