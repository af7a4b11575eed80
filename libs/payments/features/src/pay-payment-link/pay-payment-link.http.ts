import { Controller, Inject, Param, Res } from '@nestjs/common';
import { payPaymentLink, type CheckoutDataAnswer, type RequestContext } from '@tender/contracts';
import { Caller, Serves, tellPosition } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { CheckoutData } from '../checkout-data/checkout-data';
import { PayByLink } from './pay-by-link';

@Controller()
export class PayPaymentLinkHttp {
  constructor(
    @Inject(CheckoutData) private readonly shown: CheckoutData,
    @Inject(PayByLink) private readonly links: PayByLink,
  ) {}

  /** 201 for a payment that this request began, 200 for the open one of a link that stands for one thing. */
  @Serves(payPaymentLink)
  async pay(
    @Caller() caller: RequestContext,
    @Param('link_code') name: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CheckoutDataAnswer> {
    const { payment, merchant, is_new, appended } = await this.links.begin(caller, name);
    if (appended) tellPosition(reply, appended);
    void reply.status(is_new ? 201 : 200);
    return this.shown.of(payment, merchant);
  }
}
