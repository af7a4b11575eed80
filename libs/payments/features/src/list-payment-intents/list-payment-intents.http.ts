import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listPaymentIntents,
  type ListPaymentIntentsAnswer,
  type ListPaymentIntentsQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { KnownPaymentIntent } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { renderPaymentIntent } from '../payment-intents/render-payment-intent';

const intents = listing({
  view: paymentIntent.view,
  filters: { status: 'status' },
  show: ({ state }: { readonly state: KnownPaymentIntent }) => renderPaymentIntent(state),
});

@Controller()
export class ListPaymentIntentsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPaymentIntents)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListPaymentIntentsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListPaymentIntentsAnswer> {
    return intents.paginated(this.runtime, caller, query, reply);
  }
}
