import { Controller, Inject, Param } from '@nestjs/common';
import { getPlan, getPlanToo, type PlanAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import { findForCaller, isOwner } from '../find-for-caller';
import { plan } from '../plans/plan.aggregate';
import { renderPlan, renderPlanToCustomer } from '../plans/render-plan';

@Controller()
export class GetPlanHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getPlan)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
  ): Promise<PlanAnswer> {
    const known = await findForCaller(plan, this.runtime, caller, id, 'plan_not_found');
    return (isOwner(caller) ? renderPlan : renderPlanToCustomer)(known);
  }

  @Serves(getPlanToo)
  getToo(@Caller() caller: RequestContext, @Param('id') id: string): Promise<PlanAnswer> {
    return this.get(caller, id);
  }
}
