import { Controller, Inject, Param } from '@nestjs/common';
import { getPayment, type PaymentAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { renderPayment } from '../payment-details/render-payment';
import { ownPayment } from './own-payment';

@Controller()
export class GetPaymentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getPayment)
  async get(@Caller() caller: RequestContext, @Param('id') id: string): Promise<PaymentAnswer> {
    const payment = await ownPayment(this.runtime, caller, id);
    return renderPayment(payment, caller.merchant_name);
  }
}
