import { Controller, Inject, Param } from '@nestjs/common';
import { explainPayment, type PaymentExplanation, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import { payment } from '../payment-details/payment.aggregate';
import { explain } from './explain';

@Controller()
export class ExplainPaymentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(explainPayment)
  async explain(@Caller() caller: RequestContext, @Param('id') id: string): Promise<PaymentExplanation> {
    const { terms } = await own(payment, this.runtime, caller, id);
    return explain(this.runtime, caller, terms);
  }
}
