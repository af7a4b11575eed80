import { Controller, Inject, Param, Query } from '@nestjs/common';
import {
  getPayment,
  type GetPaymentQuery,
  type PaymentAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, notFound, own, RUNTIME, Serves } from '@tender/http';
import { isoTime, timeOf } from '@tender/kernel';
import type { KnownPayment } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

@Controller()
export class GetPaymentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getPayment)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Query() { as_of }: GetPaymentQuery,
  ): Promise<PaymentAnswer> {
    const known = await own(payment, this.runtime, caller, id);
    if (as_of === undefined) return renderPayment(known, caller.merchant_name);
    const then = await this.asOf(known, caller, isoTime(timeOf(as_of)));
    return renderPayment(then, caller.merchant_name);
  }

  private async asOf(
    { terms }: KnownPayment,
    { mode }: RequestContext,
    time: string,
  ): Promise<KnownPayment> {
    if (time < terms.created_at) throw notFound();
    const then = await payment.asOf(this.runtime, mode, terms.payment_id, time);
    if (!then) throw notFound();
    return then;
  }
}
