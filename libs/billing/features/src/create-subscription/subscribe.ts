import { Inject, Injectable } from '@nestjs/common';
import type {
  CreateSubscription,
  KnownPlan,
  KnownSubscription,
  SealedRecipient,
  subscriptionDecider,
} from '@tender/billing-domain';
import {
  describeMerchant,
  newId,
  subscriptionIds,
  type CreateSubscriptionBody,
  type RequestContext,
} from '@tender/contracts';
import { Unavailable, type Position, type Runtime } from '@tender/eventing';
import {
  ApiError,
  invalidParameter,
  refusalAnswer,
  RUNTIME,
  type RefusalAnswers,
} from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import { openSubscriptionCharge } from '../charge-subscription/open-subscription-charge';
import { findForCaller, isOwner } from '../find-for-caller';
import { plan } from '../plans/plan.aggregate';
import { sealRecipient } from '../recipients/recipients';
import { subscriptionNow } from '../subscriptions/render-subscription';
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

/** A subscription that a request has made, now or when it was sent before. */
export interface Subscribed {
  readonly state: KnownSubscription;
  readonly position: Position | null;
  readonly repeated: boolean;
}

/** Makes subscriptions: for those who call the API and for customers at the page of a plan. */
@Injectable()
export class Subscribe {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Throws 400, 404, 409 `plan_inactive` and `wallet_not_ready`, as clients see them. */
  async wallet(caller: RequestContext, wanted: CreateSubscriptionBody): Promise<Subscribed> {
    const agreed = await this.planOf(caller, wanted.plan_id);
    const { merchant_id } = agreed.terms;
    const { handled } = await subscription.request(this.runtime, caller, async (asked) => {
      const command = await this.commandOf(asked, agreed, wanted);
      const subject_ids = command.customer ? [command.customer.subject_id] : [];
      return { id: command.terms.subscription_id, command, subject_ids, merchant_id };
    });
    if (!handled.ok) throw refusalAnswer(handled, REFUSALS);
    return handled;
  }

  /** With the link of its first period, at once; where payments is away, the link follows. */
  async opened(
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
    wanted: CreateSubscriptionBody,
  ): Promise<CreateSubscription> {
    const { merchant_id, plan_id, name, amount_minor, currency } = terms;
    const { billing_interval, interval_count, trial_days, max_cycles } = terms;
    return {
      type: 'CreateSubscription',
      terms: {
        subscription_id: newId(subscriptionIds, mode, Buffer.from(id_seed, 'hex')),
        ...{ merchant_id, mode },
        plan: {
          ...{ plan_id, plan_name: name, amount_minor, currency },
          ...{ billing_interval, interval_count, trial_days, max_cycles },
        },
        customer_wallet: wanted.customer_wallet,
        metadata: wanted.metadata ?? {},
        locale: wanted.locale ?? 'en',
        made_by: asker.kind === 'public' ? 'customer' : 'merchant',
        created_at: isoTime(this.runtime.clock.now()),
      },
      customer: await this.customerOf({ merchant_id, mode }, wanted),
      plan_is_active: status === 'active',
    };
  }

  private async customerOf(
    whose: Pick<KnownPlan['terms'], 'merchant_id' | 'mode'>,
    { customer_email: email, customer_name: name }: CreateSubscriptionBody,
  ): Promise<SealedRecipient | null> {
    if (email !== undefined) {
      return sealRecipient(this.runtime, whose, { email, name: name ?? null });
    }
    if (name === undefined) return null;
    const message = 'is required with customer_name; leave both out or send both';
    throw invalidParameter({ field: 'customer_email', message });
  }
}
