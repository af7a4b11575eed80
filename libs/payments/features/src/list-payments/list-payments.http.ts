import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listPayments,
  type ListPaymentsAnswer,
  type PageQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { KnownPayment } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

const payments = listing({
  view: payment.view,
  show: ({ state }: { readonly state: KnownPayment }, { merchant_name }) =>
    renderPayment(state, merchant_name),
});

@Controller()
export class ListPaymentsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPayments)
  list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListPaymentsAnswer> {
    return payments.paginated(this.runtime, caller, query, reply);
  }
}
