import { Inject, Injectable } from '@nestjs/common';
import {
  chargeToPay,
  endedCharge,
  type KnownSubscription,
  type OpenedCharge,
} from '@tender/billing-domain';
import type { RequestContext } from '@tender/contracts';
import { NotThisOne, type Position, type Runtime } from '@tender/eventing';
import { refusalAnswer, RUNTIME } from '@tender/http';
import { invariant, isoTime, type Refused } from '@tender/kernel';
import { openSubscriptionCharge } from '../charge-subscription/open-subscription-charge';
import { payCharge } from '../charges/open-charge';
import { paymentRefused } from '../charges/payment-refused';
import { findForCaller } from '../find-for-caller';
import { chargedSubscription } from '../subscriptions/charged-subscription';
import { subscriptionNow } from '../subscriptions/render-subscription';
import { STEP_REFUSALS } from '../subscriptions/subscription-refusals';
import { subscription } from '../subscriptions/subscription.aggregate';

const ACTOR = 'system:billing.pay-subscription';

const NOT_DUE = [
  409,
  'payment_not_due',
  'Nothing is to be paid now; next_payment_attempt of the subscription says when.',
] as const;
const REFUSALS = { ...STEP_REFUSALS, payment_not_due: NOT_DUE };

/** Its chain is still to be seen past the end of the charge, or its money is there and heard of in a moment. */
const undecided = () => new NotThisOne('payments', { reason: 'a charge that has ended is not decided yet' });

/** The payment of a period, and its subscription as the request has left it. */
export interface PeriodPayment {
  readonly payment_id: string;
  readonly state: KnownSubscription;
}

/** Hears what the request has left of the subscription's log, also where payments then refuses. */
export interface HearsPosition {
  (written: { readonly position: Position | null; readonly repeated: boolean }): void;
}

/** Begins the payment of the current period, or goes on with the open one. */
@Injectable()
export class PayPeriod {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** By its merchant or by a stranger. Throws what subscriptions and payments refuse, as clients see it. */
  async begin(
    caller: RequestContext,
    id: string,
    hears: HearsPosition = () => undefined,
  ): Promise<PeriodPayment> {
    const { runtime } = this;
    const known = await findForCaller(subscription, runtime, caller, id, 'subscription_not_found');
    const { merchant_id } = known.terms;
    const { handled } = await subscription.request(runtime, caller, () => {
      const now = isoTime(runtime.clock.now());
      return { id, command: { type: 'RequestPeriodPayment', now } as const, merchant_id };
    });
    if (!handled.ok) throw refusalAnswer(handled, REFUSALS);
    hears(handled);
    const state = await this.decided(handled.state, caller);
    const begun = await payCharge(runtime, caller, await this.openedOf(state, caller));
    if (!begun.ok) throw await this.refused(state, begun);
    return { payment_id: begun.value.payment_id, state };
  }

  /** Where the time of its charge is over, payments is asked here and now whether the period is to be charged anew. */
  private async decided(
    state: KnownSubscription,
    { command_id, correlation_id }: RequestContext,
  ): Promise<KnownSubscription> {
    if (!endedCharge(state)) return state;
    const { runtime } = this;
    const { mode, merchant_id, subscription_id: object_id } = state.terms;
    const ended = { mode, object_id, part: state.period_number, now: isoTime(runtime.clock.now()) };
    await chargedSubscription.fail(runtime, ended, {
      ...{ command_id, body_hash: null, merchant_id, causation_id: null },
      ...{ actor: ACTOR, correlation_id },
    });
    const known = await subscription.load(runtime, mode, object_id);
    invariant(known, `${object_id} is there while it is paid`);
    const payable = chargeToPay(known);
    if (!payable.ok) throw refusalAnswer(payable, REFUSALS);
    if (endedCharge(known)) throw undecided();
    return known;
  }

  private async openedOf(
    state: KnownSubscription,
    { correlation_id }: RequestContext,
  ): Promise<OpenedCharge> {
    if (state.opened !== null) return state.opened;
    const origin = { correlation_id, actor: ACTOR };
    const open = await openSubscriptionCharge(this.runtime, subscriptionNow(state), origin);
    if (open.ok) return open.value.opened;
    throw await this.refused(state, open);
  }

  /** What the subscription says of itself by now comes first: a cancel or a pause may have landed between. */
  private async refused(
    { terms, charge }: KnownSubscription,
    refused: Refused<string>,
  ): Promise<Error> {
    const now = await subscription.load(this.runtime, terms.mode, terms.subscription_id);
    const payable = now && chargeToPay(now);
    if (payable?.ok === false) return refusalAnswer(payable, REFUSALS);
    const has_ended = charge !== null && charge.expires_at <= isoTime(this.runtime.clock.now());
    return has_ended ? undecided() : paymentRefused(refused, NOT_DUE);
  }
}
