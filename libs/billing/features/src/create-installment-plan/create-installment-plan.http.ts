import { Body, Controller, Inject, Res } from '@nestjs/common';
import type { CreateInstallmentPlan, installmentPlanDecider } from '@tender/billing-domain';
import {
  createInstallmentPlan,
  type CreateInstallmentPlanBody,
  type InstallmentPlanAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, ApiError, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import type { RefusalOf } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { renderInstallmentPlan } from '../installment-plans/render-installment-plan';
import { newInstallmentPlan } from './new-installment-plan';

/** Without one its customer would be asked, and fined, for what cannot be paid. */
const NO_WALLET = [
  409,
  'wallet_not_ready',
  'The merchant has no wallet yet, so there is nowhere to pay to. Set one up, then create the plan.',
] as const;

const REFUSALS: RefusalAnswers<RefusalOf<typeof installmentPlanDecider, CreateInstallmentPlan>> = {
  amount_too_large: [
    422,
    'amount_too_large',
    'The total, or an installment with its late fee, is above the merchant’s maximum. Ask for less.',
  ],
  installment_too_small: [
    422,
    'validation_failed',
    'An installment would be less than a cent. Divide total_amount into fewer installments.',
  ],
  first_payment_date_past: { field: 'first_payment_date', message: 'must not be in the past' },
  // An id derives from 128 bits of its request: where it exists, it is another request’s that cannot be.
  installment_plan_exists: [500, 'internal_error', 'Something went wrong on our side.'],
};

@Controller()
export class CreateInstallmentPlanHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(createInstallmentPlan)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreateInstallmentPlanBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InstallmentPlanAnswer> {
    if (caller.wallet === null) throw new ApiError(...NO_WALLET);
    const { handled } = await installmentPlan.request(this.runtime, caller, async (asked) => {
      const command = await newInstallmentPlan(this.runtime, asked, body);
      const subject_ids = command.customer ? [command.customer.subject_id] : [];
      return { id: command.terms.plan_id, command, subject_ids };
    });
    return renderInstallmentPlan(this.runtime, accepted(handled, REFUSALS, reply).state);
  }
}
