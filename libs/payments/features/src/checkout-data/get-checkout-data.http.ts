import { Controller, Inject, Param } from '@nestjs/common';
import { getCheckoutData, type CheckoutDataAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, notFound, RUNTIME, Serves } from '@tender/http';
import { payment } from '../payment-details/payment.aggregate';
import { CheckoutData } from './checkout-data';
import { describedMerchant } from './described-merchant';

@Controller()
export class GetCheckoutDataHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutData) private readonly shown: CheckoutData,
  ) {}

  /** From the stream: the page that asks may have changed it a moment ago. */
  @Serves(getCheckoutData)
  async get(@Caller() caller: RequestContext, @Param('id') id: string): Promise<CheckoutDataAnswer> {
    const known = await payment.load(this.runtime, caller.mode, id);
    if (!known) throw notFound();
    const merchant = await describedMerchant(this.runtime, known.terms.merchant_id, caller);
    return this.shown.of(known, merchant);
  }
}
