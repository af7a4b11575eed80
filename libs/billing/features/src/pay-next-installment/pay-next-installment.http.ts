import { Controller, Inject, Param, Res } from '@nestjs/common';
import { nextInstallment, type KnownInstallmentPlan, type OpenedCharge } from '@tender/billing-domain';
import {
  payNextInstallment,
  type PayInstallmentAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, own, RUNTIME, Serves, tellPosition } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { payCharge } from '../charges/open-charge';
import { NONE_DUE, STEP_REFUSALS } from '../installment-plans/installment-refusals';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { usdOf } from '../installment-plans/render-installment-plan';
import { openInstallment, tellPayment } from '../open-installments/open-installment';
import { chargeRefused, paymentRefused } from './payment-refused';

@Controller()
export class PayNextInstallmentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(payNextInstallment)
  async pay(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PayInstallmentAnswer> {
    await own(installmentPlan, this.runtime, caller, id);
    const { handled } = await installmentPlan.request(this.runtime, caller, () => {
      const now = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'RequestInstallment', now } as const };
    });
    return this.payNext(caller, accepted(handled, STEP_REFUSALS, reply).state, reply);
  }

  private async payNext(
    caller: RequestContext,
    plan: KnownInstallmentPlan,
    reply: FastifyReply,
  ): Promise<PayInstallmentAnswer> {
    const next = nextInstallment(plan);
    if (next?.charge == null) throw new ApiError(...NONE_DUE);
    const { installment_number, charge, opened: known } = next;
    const opened = known ?? (await openInstallment(this.runtime, plan, next, caller));
    if (opened === null) throw chargeRefused(caller);
    const payment_id = await this.paymentOf(caller, opened);
    if (opened.payment_id !== payment_id) {
      const at = [plan, installment_number, opened, payment_id] as const;
      const position = await tellPayment(this.runtime, ...at, caller);
      tellPosition(reply, { position, repeated: false });
    }
    return {
      payment_id,
      payment_url: opened.payment_url,
      installment_plan_id: plan.terms.plan_id,
      installment_number,
      amount: usdOf(charge.amount_usd_cents),
      expires_at: charge.expires_at,
    };
  }

  private async paymentOf(caller: RequestContext, opened: OpenedCharge): Promise<string> {
    const begun = await payCharge(this.runtime, caller, opened);
    if (begun.ok) return begun.value.payment_id;
    throw paymentRefused(begun);
  }
}
