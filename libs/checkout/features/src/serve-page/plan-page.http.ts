import { Controller, Inject, Req, Res } from '@nestjs/common';
import {
  modeOf,
  planIds,
  readPlanPage,
  readSubscriptionPage,
  showPlan,
  subscriptionIds,
  type PlanToShow,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CheckoutPages } from './checkout-pages';

interface Which {
  readonly plan_id: string;
  readonly subscription_id?: string;
}
type PageRequest = FastifyRequest<{ Params: Which }>;

@Controller()
export class PlanPageHttp {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CheckoutPages) private readonly pages: CheckoutPages,
  ) {}

  @Serves(readPlanPage)
  async read(
    @Caller() caller: RequestContext,
    @Req() request: PageRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    void this.pages.send(request, reply, await this.found(request.params, caller));
  }

  @Serves(readSubscriptionPage)
  readSubscription(
    @Caller() caller: RequestContext,
    @Req() request: PageRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.read(caller, request, reply);
  }

  private async found(
    { plan_id, subscription_id = null }: { plan_id: string; subscription_id?: string | null },
    { correlation_id }: RequestContext,
  ): Promise<PlanToShow | null> {
    const mode = modeOf(planIds, plan_id);
    const is_one = subscription_id === null || modeOf(subscriptionIds, subscription_id) === mode;
    if (mode === null || !is_one) return null;
    const asked = { plan_id, subscription_id };
    return this.runtime.calls.ask(showPlan, asked, { mode, correlation_id });
  }
}
