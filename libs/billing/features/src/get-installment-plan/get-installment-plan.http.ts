import { Controller, Inject, Param } from '@nestjs/common';
import {
  getInstallmentPlan,
  type InstallmentPlanAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { renderInstallmentPlan } from '../installment-plans/render-installment-plan';

@Controller()
export class GetInstallmentPlanHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getInstallmentPlan)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
  ): Promise<InstallmentPlanAnswer> {
    const plan = await own(installmentPlan, this.runtime, caller, id);
    return renderInstallmentPlan(this.runtime, plan);
  }
}
