import { Controller, Inject, Param, Res } from '@nestjs/common';
import type { KnownInstallmentPlan } from '@tender/billing-domain';
import {
  cancelInstallmentPlan,
  type CancelInstallmentPlanAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, own, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { STEP_REFUSALS } from '../installment-plans/installment-refusals';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { renderInstallmentPlan } from '../installment-plans/render-installment-plan';

@Controller()
export class CancelInstallmentPlanHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(cancelInstallmentPlan)
  async cancel(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CancelInstallmentPlanAnswer> {
    await own(installmentPlan, this.runtime, caller, id);
    const { handled } = await installmentPlan.request(this.runtime, caller, () => {
      const now = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'CancelInstallmentPlan', now } as const };
    });
    const { state } = accepted(handled, STEP_REFUSALS, reply);
    return { ...(await renderInstallmentPlan(this.runtime, state)), message: messageOf(state) };
  }
}

function messageOf({ installments }: KnownInstallmentPlan): string {
  const voided = installments.filter(({ status }) => status === 'voided').length;
  const paid = installments.length - voided;
  return `The plan is cancelled: ${voided} unpaid of ${installments.length} installments voided, ${paid} paid and not refunded.`;
}
