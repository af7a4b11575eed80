import { Controller, Inject, Param } from '@nestjs/common';
import { nextInstallment } from '@tender/billing-domain';
import { getNextInstallment, type InstallmentAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, Caller, own, RUNTIME, Serves } from '@tender/http';
import { NONE_DUE } from '../installment-plans/installment-refusals';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { renderInstallment } from '../installment-plans/render-installment-plan';

@Controller()
export class GetNextInstallmentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getNextInstallment)
  async get(@Caller() caller: RequestContext, @Param('id') id: string): Promise<InstallmentAnswer> {
    const next = nextInstallment(await own(installmentPlan, this.runtime, caller, id));
    if (next === null) throw new ApiError(...NONE_DUE);
    return renderInstallment(next);
  }
}
