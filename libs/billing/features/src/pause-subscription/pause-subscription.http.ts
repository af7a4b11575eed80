import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  pauseSubscription,
  type PauseSubscriptionBody,
  type RequestContext,
  type SubscriptionAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, futureTime, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { findForCaller } from '../find-for-caller';
import { renderSubscription } from '../subscriptions/render-subscription';
import { STEP_REFUSALS } from '../subscriptions/subscription-refusals';
import { subscription } from '../subscriptions/subscription.aggregate';

const REFUSALS = {
  ...STEP_REFUSALS,
  resumes_at_past: { field: 'resumes_at', message: 'must lie ahead' },
} as const;

@Controller()
export class PauseSubscriptionHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(pauseSubscription)
  async pause(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Body() body: PauseSubscriptionBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SubscriptionAnswer> {
    const { runtime } = this;
    await findForCaller(subscription, runtime, caller, id, 'subscription_not_found');
    const now_ms = runtime.clock.now();
    const resumes_at = futureTime('resumes_at', body.resumes_at, now_ms);
    const { handled } = await subscription.request(runtime, caller, () => {
      const command = { type: 'PauseSubscription', resumes_at, now: isoTime(now_ms) } as const;
      return { id, command };
    });
    return renderSubscription(runtime, accepted(handled, REFUSALS, reply).state, true);
  }
}
