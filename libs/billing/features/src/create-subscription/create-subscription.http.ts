import { Body, Controller, Inject, Res } from '@nestjs/common';
import type {
  CreateSubscription,
  KnownPlan,
  KnownSubscription,
  subscriptionDecider,
} from '@tender/billing-domain';
import {
  createSubscription,
  describeMerchant,
  newId,
  subscriptionIds,
  type CreateSubscriptionBody,
  type RequestContext,
  type SubscriptionAnswer,
} from '@tender/contracts';
import { Unavailable, type Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { openSubscriptionCharge } from '../charge-subscription/open-subscription-charge';
import { findForCaller, isOwner } from '../find-for-caller';
import { plan } from '../plans/plan.aggregate';
import { sealRecipient } from '../recipients/recipients';
import { renderSubscription, subscriptionNow } from '../subscriptions/render-subscription';
import { subscription } from '../subscriptions/subscription.aggregate';

const REFUSALS: RefusalAnswers<RefusalOf<typeof subscriptionDecider, CreateSubscription>> = {
  plan_inactive: [
    409,
    'plan_inactive',
    'The plan takes no new subscriptions. Its merchant can activate it, or name another plan.',
  ],
  // An id derives from 128 bits of its request: where it exists, it is another request’s that cannot be.
  subscription_exists: [500, 'internal_error', 'Something went wrong on our side.'],
};

@Controller()
export class CreateSubscriptionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(createSubscription)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreateSubscriptionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const agreed = await this.planOf(caller, body.plan_id);
    const { merchant_id } = agreed.terms;
    const { handled } = await subscription.request(this.runtime, caller, async (asked) => {
      const command = await this.commandOf(asked, agreed, body);
      const subject_ids = command.customer ? [command.customer.subject_id] : [];
      return { id: command.terms.subscription_id, command, subject_ids, merchant_id };
    });
    const { state } = accepted(handled, REFUSALS, reply);
    return renderSubscription(this.runtime, await this.opened(state, caller), isOwner(caller));
  }

  /** As it is now, of a merchant that can be paid. Throws 404 and 409 `wallet_not_ready`. */
  private async planOf(caller: RequestContext, plan_id: string): Promise<KnownPlan> {
    const { runtime } = this;
    await findForCaller(plan, runtime, caller, plan_id, 'plan_not_found');
    const known = (await plan.load(runtime, caller.mode, plan_id)) as KnownPlan;
    const { merchant_id } = known.terms;
    const wallet = isOwner(caller)
      ? caller.wallet
      : (await runtime.calls.ask(describeMerchant, { merchant_id }, caller))?.wallet;
    if (wallet) return known;
    throw new ApiError(
      409,
      'wallet_not_ready',
      'The merchant’s wallet is still being made. Try again in a moment.',
    );
  }

  private async commandOf(
    { mode, id_seed, asker }: RequestContext,
    { status, terms }: KnownPlan,
    body: CreateSubscriptionBody,
  ): Promise<CreateSubscription> {
    const { merchant_id, plan_id, name, amount_minor, currency } = terms;
    const { billing_interval, interval_count, trial_days, max_cycles } = terms;
    const whose = { merchant_id, mode };
    const email = body.customer_email;
    return {
      type: 'CreateSubscription',
      terms: {
        subscription_id: newId(subscriptionIds, mode, Buffer.from(id_seed, 'hex')),
        ...whose,
        plan: {
          ...{ plan_id, plan_name: name, amount_minor, currency },
          ...{ billing_interval, interval_count, trial_days, max_cycles },
        },
        customer_wallet: body.customer_wallet,
        metadata: body.metadata ?? {},
        locale: body.locale ?? 'en',
        made_by: asker.kind === 'public' ? 'customer' : 'merchant',
        created_at: isoTime(this.runtime.clock.now()),
      },
      customer:
        email === undefined
          ? null
          : await sealRecipient(this.runtime, whose, { email, name: null }),
      plan_is_active: status === 'active',
    };
  }

  /** With the link of its first period, at once; where payments is away, the link follows. */
  private async opened(
    state: KnownSubscription,
    { correlation_id }: RequestContext,
  ): Promise<KnownSubscription> {
    const origin = { correlation_id, actor: 'system:billing.create-subscription' };
    try {
      const open = await openSubscriptionCharge(this.runtime, subscriptionNow(state), origin);
      return open.ok ? { ...state, opened: open.value.opened } : state;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.runtime.log.warn({ err: error }, 'a new subscription waits for the link of its payment');
      return state;
    }
  }
}
