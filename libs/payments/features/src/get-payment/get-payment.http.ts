import { Controller, Inject, Param } from '@nestjs/common';
import { getPayment, type PaymentAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import { payment } from '../payment-details/payment.aggregate';
import { renderPayment } from '../payment-details/render-payment';

@Controller()
export class GetPaymentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getPayment)
  async get(@Caller() caller: RequestContext, @Param('id') id: string): Promise<PaymentAnswer> {
    const known = await own(payment, this.runtime, caller, id);
    return renderPayment(known, caller.merchant_name);
  }
}
