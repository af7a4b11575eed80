import type {
  CancelInstallmentPlan,
  installmentPlanDecider,
  RequestInstallment,
} from '@tender/billing-domain';
import type { RefusalAnswers } from '@tender/http';
import type { RefusalOf } from '@tender/kernel';

export const NONE_DUE = [
  404,
  'no_installment_due',
  'No installment of this plan is to be paid: the plan is over. Look at its status.',
] as const;

/** Why a plan is neither paid nor cancelled, and what to do then. */
export const STEP_REFUSALS: RefusalAnswers<
  RefusalOf<typeof installmentPlanDecider, RequestInstallment | CancelInstallmentPlan>
> = {
  installment_plan_unknown: [404, 'not_found', 'There is no such resource.'],
  no_installment_due: NONE_DUE,
  plan_not_active: [
    409,
    'plan_not_active',
    'Only an active plan is paid or cancelled. Look at its status; where it is over, create another.',
  ],
};
