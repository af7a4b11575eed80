import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  paySubscription,
  readPayment,
  type RequestContext,
  type SubscriptionPaymentAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves, tellPosition } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { PayPeriod } from './pay-period';

@Controller()
export class PaySubscriptionHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(PayPeriod) private readonly periods: PayPeriod,
  ) {}

  /** The period is paid, by the merchant’s request or by a stranger’s. */
  @Serves(paySubscription)
  async pay(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionPaymentAnswer> {
    const hears = (written: Parameters<typeof tellPosition>[1]) => tellPosition(reply, written);
    const { payment_id, state } = await this.periods.begin(caller, id, hears);
    const payment = await this.runtime.calls.ask(readPayment, { payment_id }, caller);
    invariant(payment, 'a payment that has begun is there');
    const { terms, calendar } = state;
    return {
      ...payment,
      payment_id,
      token: payment.payment_token,
      subscription_id: terms.subscription_id,
      period_start: calendar.start,
      period_end: calendar.end,
    };
  }
}
