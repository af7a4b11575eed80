import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  cancelSubscription,
  type CancelSubscriptionBody,
  type RequestContext,
  type SubscriptionAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { findForCaller, isOwner } from '../find-for-caller';
import { renderSubscription } from '../subscriptions/render-subscription';
import { STEP_REFUSALS } from '../subscriptions/subscription-refusals';
import { subscription } from '../subscriptions/subscription.aggregate';
import { checkCustomer } from './check-customer';

@Controller()
export class CancelSubscriptionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(cancelSubscription)
  async cancel(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() body: CancelSubscriptionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const { runtime } = this;
    const known = await findForCaller(subscription, runtime, caller, id, 'subscription_not_found');
    if (!isOwner(caller)) checkCustomer(known.terms, body);
    const { merchant_id } = known.terms;
    const { handled } = await subscription.request(runtime, caller, () => ({
      id,
      command: {
        type: 'CancelSubscription',
        cancel_at_period_end: body.cancel_at_period_end ?? false,
        cancellation_reason: body.cancellation_reason ?? null,
        now: isoTime(runtime.clock.now()),
      } as const,
      merchant_id,
    }));
    const { state } = accepted(handled, STEP_REFUSALS, reply);
    return renderSubscription(runtime, state, isOwner(caller));
  }
}
