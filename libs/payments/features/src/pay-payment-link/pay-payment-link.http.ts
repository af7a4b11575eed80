import { Controller, Inject, Param, Res } from '@nestjs/common';
import { payPaymentLink, type CheckoutDataAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { checkoutData } from '../checkout-data/checkout-data';
import { describedMerchant } from '../checkout-data/described-merchant';
import { findLink } from '../payment-links/find-link';
import { PayByLink } from './pay-by-link';

@Controller()
export class PayPaymentLinkHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PayByLink) private readonly links: PayByLink,
  ) {}

  /** 201 for a payment that this request began, 200 for the open one of a link that stands for one thing. */
  @Serves(payPaymentLink)
  async pay(
    @Caller() caller: RequestContext,
    @Param('link_code') name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CheckoutDataAnswer> {
    const link = await findLink(this.runtime, caller.mode, name);
    const merchant = await describedMerchant(this.runtime, link.terms.merchant_id, caller);
    const { payment, is_new } = await this.links.begin(caller, link, merchant, reply);
    void reply.status(is_new ? 201 : 200);
    return checkoutData(this.runtime, payment, merchant);
  }
}
