import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  resumeSubscription,
  type RequestContext,
  type SubscriptionAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { findForCaller } from '../find-for-caller';
import { renderSubscription } from '../subscriptions/render-subscription';
import { STEP_REFUSALS } from '../subscriptions/subscription-refusals';
import { subscription } from '../subscriptions/subscription.aggregate';

@Controller()
export class ResumeSubscriptionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(resumeSubscription)
  async resume(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const { runtime } = this;
    await findForCaller(subscription, runtime, caller, id, 'subscription_not_found');
    const { handled } = await subscription.request(runtime, caller, () => {
      const now = isoTime(runtime.clock.now());
      return { id, command: { type: 'ResumeSubscription', now } as const };
    });
    return renderSubscription(runtime, accepted(handled, STEP_REFUSALS, reply).state, true);
  }
}
