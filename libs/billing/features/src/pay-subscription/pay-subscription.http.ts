import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { KnownSubscription } from '@tender/billing-domain';
import {
  paySubscription,
  showPayment,
  type PaymentToShow,
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
    const shown = await this.runtime.calls.ask(showPayment, { payment_id }, caller);
    invariant(shown, 'a payment that has begun is there');
    return renderPayment(state, shown);
  }
}

const renderPayment = (
  { terms, calendar }: KnownSubscription,
  payment: PaymentToShow,
): SubscriptionPaymentAnswer => ({
  payment_id: payment.payment_id,
  subscription_id: terms.subscription_id,
  period_start: calendar.start,
  period_end: calendar.end,
  payment_url: payment.payment_url,
  qr_code: payment.qr_code,
  amount: payment.amount,
  currency: payment.currency,
  token: payment.token,
  token_amount: payment.token_amount,
  status: payment.status,
  mode: payment.mode,
  expires_at: payment.expires_at,
});
