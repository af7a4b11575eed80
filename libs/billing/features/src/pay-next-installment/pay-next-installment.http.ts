import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  nextInstallment,
  type Installment,
  type KnownInstallmentPlan,
  type OpenedCharge,
} from '@tender/billing-domain';
import {
  payNextInstallment,
  type PayInstallmentAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, own, refusalAnswer, RUNTIME, Serves, tellPosition } from '@tender/http';
import { isoTime, refuse, type Refused } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { payCharge } from '../charges/open-charge';
import { paymentRefused } from '../charges/payment-refused';
import { NONE_DUE, STEP_REFUSALS } from '../installment-plans/installment-refusals';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { usdOf } from '../installment-plans/render-installment-plan';
import { openInstallment, tellPayment } from '../open-installments/open-installment';

/** Its payment is confirmed, or its time is over, and the plan hears of it in a moment. */
const CHARGE_OVER = [
  409,
  'invalid_payment_state',
  'This installment cannot be paid as it is now. Read the plan again.',
] as const;

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
    const opened = known ?? (await this.openedOf(caller, plan, next));
    const begun = await payCharge(this.runtime, caller, opened);
    if (!begun.ok) throw await this.refused(plan, begun);
    const { payment_id } = begun.value;
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

  private async openedOf(
    caller: RequestContext,
    plan: KnownInstallmentPlan,
    next: Installment,
  ): Promise<OpenedCharge> {
    const open = await openInstallment(this.runtime, plan, next, caller);
    if (open.ok) return open.value;
    throw await this.refused(plan, open);
  }

  /** What the plan says of itself by now comes first: a cancel may have landed between. */
  private async refused({ terms }: KnownInstallmentPlan, refused: Refused<string>): Promise<Error> {
    const now = await installmentPlan.load(this.runtime, terms.mode, terms.plan_id);
    const status = now?.status ?? 'active';
    return status === 'active'
      ? paymentRefused(refused, CHARGE_OVER)
      : refusalAnswer(refuse('plan_not_active', { status }), STEP_REFUSALS);
  }
}
