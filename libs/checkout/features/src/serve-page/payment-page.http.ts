import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  modeOf,
  paymentIds,
  readPaymentPage,
  showPayment,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages } from './checkout-pages';

@Controller()
export class PaymentPageHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutPages) private readonly pages: CheckoutPages,
  ) {}

  @Serves(readPaymentPage)
  async read(
    @Caller() { correlation_id }: RequestContext,
    @Req() request: FastifyRequest<{ Params: { id: string } }>,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const { id } = request.params;
    const mode = modeOf(paymentIds, id);
    const asked = { payment_id: id };
    const payment =
      mode && (await this.runtime.calls.ask(showPayment, asked, { mode, correlation_id }));
    void this.pages.send(request, reply, payment);
  }
}
