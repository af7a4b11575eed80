import type { KnownPlan } from '@tender/billing-domain';
import { Controller, Inject, Query, Res } from '@nestjs/common';
import { listPlans, listPlansToo, type PageQuery, type PlanAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { plan } from '../plans/plan.aggregate';
import { renderPlan } from '../plans/render-plan';

const plans = listing({
  view: plan.view,
  show: ({ state }: { readonly state: KnownPlan }): PlanAnswer => renderPlan(state),
});

@Controller()
export class ListPlansHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPlans)
  list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer[]> {
    return plans.array(this.runtime, caller, query, reply);
  }

  @Serves(listPlansToo)
  listToo(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer[]> {
    return this.list(caller, query, reply);
  }
}
