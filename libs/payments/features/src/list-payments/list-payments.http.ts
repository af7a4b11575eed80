import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listPayments,
  type ListPaymentsAnswer,
  type ListPaymentsQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { KnownPayment } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

const EXTERNAL_ID = `(state->'terms'->>'external_id')`;

const payments = listing({
  view: payment.view,
  // An expression, with an index of its own: rows of the releases before have no external id.
  filters: { external_id: EXTERNAL_ID },
  show: ({ state }: { readonly state: KnownPayment }, { merchant_name }) =>
    renderPayment(state, merchant_name),
});

@Controller()
export class ListPaymentsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPayments)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListPaymentsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListPaymentsAnswer> {
    return payments.paginated(this.runtime, caller, query, reply);
  }
}
