import { Controller, Inject, Param } from '@nestjs/common';
import { getPaymentIntent, type PaymentIntentAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { renderPaymentIntent } from '../payment-intents/render-payment-intent';

@Controller()
export class GetPaymentIntentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getPaymentIntent)
  async get(@Caller() caller: RequestContext, @Param('id') id: string): Promise<PaymentIntentAnswer> {
    return renderPaymentIntent(await own(paymentIntent, this.runtime, caller, id));
  }
}
