import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { ActivatePlan, DeactivatePlan } from '@tender/billing-domain';
import {
  activatePlan,
  deactivatePlan,
  type PlanAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { findForCaller } from '../find-for-caller';
import { plan } from '../plans/plan.aggregate';
import { renderPlan } from '../plans/render-plan';

const REFUSALS: RefusalAnswers<'plan_unknown'> = {
  plan_unknown: [404, 'plan_not_found', 'There is no such resource.'],
};

/** Switched twice, it is as it was. */
@Controller()
export class SwitchPlanHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(deactivatePlan)
  deactivate(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer> {
    return this.switch(caller, id, 'DeactivatePlan', reply);
  }

  @Serves(activatePlan)
  activate(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PlanAnswer> {
    return this.switch(caller, id, 'ActivatePlan', reply);
  }

  private async switch(
    caller: RequestContext,
    id: string,
    type: (DeactivatePlan | ActivatePlan)['type'],
    reply: FastifyReply,
  ): Promise<PlanAnswer> {
    await findForCaller(plan, this.runtime, caller, id, 'plan_not_found');
    const { handled } = await plan.request(this.runtime, caller, () => ({
      id,
      command: { type, now: isoTime(this.runtime.clock.now()) },
    }));
    return renderPlan(accepted(handled, REFUSALS, reply).state);
  }
}
