import { Controller, Inject, Param } from '@nestjs/common';
import { getPlan, type PlanAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import { plan } from '../plans/plan.aggregate';
import { renderPlan } from '../plans/render-plan';

@Controller()
export class GetPlanHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getPlan)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
  ): Promise<PlanAnswer> {
    return renderPlan(await own(plan, this.runtime, caller, id));
  }
}
