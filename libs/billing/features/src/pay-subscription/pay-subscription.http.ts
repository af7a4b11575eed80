import { Controller, Inject, Param, Res } from '@nestjs/common';
import { chargeToPay, type KnownSubscription, type OpenedCharge } from '@tender/billing-domain';
import {
  paySubscription,
  showPayment,
  type PaymentToShow,
  type RequestContext,
  type SubscriptionPaymentAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, refusalAnswer, RUNTIME, Serves } from '@tender/http';
import { invariant, isoTime, type Refused } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { openSubscriptionCharge } from '../charge-subscription/open-subscription-charge';
import { payCharge } from '../charges/open-charge';
import { paymentRefused } from '../charges/payment-refused';
import { findForCaller } from '../find-for-caller';
import { subscriptionNow } from '../subscriptions/render-subscription';
import { STEP_REFUSALS } from '../subscriptions/subscription-refusals';
import { subscription } from '../subscriptions/subscription.aggregate';

const NOT_DUE = [
  409,
  'payment_not_due',
  'Nothing is to be paid now; next_payment_attempt of the subscription says when.',
] as const;
const REFUSALS = { ...STEP_REFUSALS, payment_not_due: NOT_DUE };

@Controller()
export class PaySubscriptionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** The period is paid, by the merchant’s request or by a stranger’s. */
  @Serves(paySubscription)
  async pay(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionPaymentAnswer> {
    const { runtime } = this;
    const known = await findForCaller(subscription, runtime, caller, id, 'subscription_not_found');
    const { merchant_id } = known.terms;
    const { handled } = await subscription.request(runtime, caller, () => {
      const now = isoTime(runtime.clock.now());
      return { id, command: { type: 'RequestPeriodPayment', now } as const, merchant_id };
    });
    const { state } = accepted(handled, REFUSALS, reply);
    const begun = await payCharge(runtime, caller, await this.openedOf(state, caller));
    if (!begun.ok) throw await this.refused(state, begun);
    const shown = await runtime.calls.ask(showPayment, begun.value, caller);
    invariant(shown, 'a payment that has begun is there');
    return renderPayment(state, shown);
  }

  private async openedOf(
    state: KnownSubscription,
    { correlation_id }: RequestContext,
  ): Promise<OpenedCharge> {
    if (state.opened !== null) return state.opened;
    const origin = { correlation_id, actor: 'system:billing.pay-subscription' };
    const open = await openSubscriptionCharge(this.runtime, subscriptionNow(state), origin);
    if (open.ok) return open.value.opened;
    throw await this.refused(state, open);
  }

  /** What the subscription says of itself by now comes first: a cancel or a pause may have landed between. */
  private async refused({ terms }: KnownSubscription, refused: Refused<string>): Promise<Error> {
    const now = await subscription.load(this.runtime, terms.mode, terms.subscription_id);
    const payable = now && chargeToPay(now);
    return payable?.ok === false
      ? refusalAnswer(payable, REFUSALS)
      : paymentRefused(refused, NOT_DUE);
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
