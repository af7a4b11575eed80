import { Controller, Inject, Param } from '@nestjs/common';
import { getSubscription, type RequestContext, type SubscriptionAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { findForCaller, isOwner } from '../find-for-caller';
import { renderSubscription } from '../subscriptions/render-subscription';
import { subscription } from '../subscriptions/subscription.aggregate';

@Controller()
export class GetSubscriptionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Without a key as its customer sees it; with one only its merchant finds it. */
  @Serves(getSubscription)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
  ): Promise<SubscriptionAnswer> {
    const { runtime } = this;
    const known = await findForCaller(subscription, runtime, caller, id, 'subscription_not_found');
    return renderSubscription(runtime, known, isOwner(caller));
  }
}
