import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  chargeToPay,
  figuresOf,
  firstPeriod,
  type KnownPlan,
  type KnownSubscription,
} from '@tender/billing-domain';
import {
  describeMerchant,
  modeOf,
  payPeriod,
  planIds,
  showPlan,
  subscribeToPlan,
  tellCustomer,
  type PlanToShow,
  type RequestContext,
  type SubscriptionToShow,
} from '@tender/contracts';
import type { Asked, Runtime } from '@tender/eventing';
import { outcomeOf, RUNTIME } from '@tender/http';
import { invariant, isoTime } from '@tender/kernel';
import { Subscribe } from '../create-subscription/subscribe';
import { PayPeriod } from '../pay-subscription/pay-period';
import { plan } from '../plans/plan.aggregate';
import { renderPlan } from '../plans/render-plan';
import { openRecipient } from '../recipients/recipients';
import { subscription } from '../subscriptions/subscription.aggregate';

/** The token of links that name none: charges of subscriptions do not. */
const TOKEN = 'USDC';

/** Tells the pages of plans what to show, and does for their forms what routes do: the same commands. */
@Injectable()
export class AnswerPlanPages implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(Subscribe) private readonly subscribe: Subscribe,
    @Inject(PayPeriod) private readonly periods: PayPeriod,
  ) {}

  onModuleInit(): void {
    const { calls } = this.runtime;
    calls.answer(showPlan, (which, asked) => this.show(which, asked));
    calls.answer(subscribeToPlan, ({ caller, wanted }) =>
      outcomeOf(async () => {
        const { state } = await this.subscribe.wallet(caller, wanted);
        return { subscription_id: state.terms.subscription_id };
      }),
    );
    calls.answer(payPeriod, ({ caller, subscription_id }) =>
      outcomeOf(() => this.pay(caller, subscription_id)),
    );
  }

  /** From the streams: the page that asks may have changed them a moment ago. */
  private async show(
    { plan_id, subscription_id }: { plan_id: string; subscription_id: string | null },
    asked: Asked,
  ): Promise<PlanToShow | null> {
    const { runtime } = this;
    const mode = modeOf(planIds, plan_id);
    const known = mode && (await plan.load(runtime, mode, plan_id));
    if (!known) return null;
    const subscribed = subscription_id && (await subscription.load(runtime, mode, subscription_id));
    const is_found = subscription_id === null || (subscribed && isTo(subscribed, plan_id));
    if (!is_found) return null;
    const { merchant_id } = known.terms;
    const merchant = await runtime.calls.ask(describeMerchant, { merchant_id }, { ...asked, mode });
    invariant(merchant, 'a merchant that has plans is registered');
    return {
      ...this.planToShow(known),
      merchant_name: merchant.name,
      support_email: merchant.support_email,
      subscription: subscribed ? subscriptionToShow(subscribed) : null,
    };
  }

  private planToShow(
    known: KnownPlan,
  ): Omit<PlanToShow, 'merchant_name' | 'support_email' | 'subscription'> {
    const { id, metadata: _, merchant_id: __, created_at: ___, ...shown } = renderPlan(known);
    const now = isoTime(this.runtime.clock.now());
    const { trial_days } = known.terms;
    const { start, end } = firstPeriod(now, known.terms, trial_days);
    const first_charge_at = trial_days > 0 ? end : start;
    return { kind: 'plan', plan_id: id, token: TOKEN, first_charge_at, ...shown };
  }

  private async pay(
    caller: RequestContext,
    subscription_id: string,
  ): Promise<{ readonly payment_id: string }> {
    const { payment_id, state } = await this.periods.begin(caller, subscription_id);
    const known = state.customer && (await openRecipient(this.runtime, state.customer));
    if (!known) return { payment_id };
    const { email, name } = known;
    const customer = name === null ? { email } : { email, name };
    // Of the same payment another command than the one that has begun it.
    const telling = { ...caller, command_id: `${caller.command_id}|customer` };
    const told = { caller: telling, payment_id, customer };
    // Refused, it knows its customer already, or has ended: its page says so.
    await this.runtime.calls.ask(tellCustomer, told, telling);
    return { payment_id };
  }
}

const isTo = ({ terms }: KnownSubscription, plan_id: string): boolean =>
  terms.plan.plan_id === plan_id;

function subscriptionToShow(known: KnownSubscription): SubscriptionToShow {
  const { subscription_id, customer_wallet } = known.terms;
  const { status, cycles_completed, current_period_end, next_payment_attempt } = figuresOf(known);
  return {
    ...{ subscription_id, customer_wallet, status, cycles_completed },
    ...{ current_period_end, next_payment_attempt },
    is_due: chargeToPay(known).ok,
    resumes_at: known.paused?.resumes_at ?? null,
  };
}
