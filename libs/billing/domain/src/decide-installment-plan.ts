import { accept, refuse, type Decider, type Decision } from '@tender/kernel';
import { aboveMaximum } from './amount-max';
import type { SealedRecipient } from './charge';
import { evolveInstallmentPlan, newInstallmentPlan } from './evolve-installment-plan';
import {
  beginInstallments,
  caughtUp,
  occurred,
  takenInstallments,
} from './installment-course';
import {
  figuresOfInstallments,
  UNKNOWN_INSTALLMENT_PLAN,
  type InstallmentPlan,
  type InstallmentPlanEvent,
  type InstallmentPlanTerms,
} from './installment-plan';
import { scheduleOf } from './installment-shares';
import { installmentPlanDueAt } from './installment-times';
import {
  failInstallmentCharge,
  payInstallment,
  recordInstallmentCharge,
  recordInstallmentPayment,
  requestInstallment,
} from './pay-installment';
import { doneAt } from './time';

export interface CreateInstallmentPlan {
  readonly type: 'CreateInstallmentPlan';
  readonly terms: Omit<InstallmentPlanTerms, 'schedule'>;
  readonly customer: SealedRecipient | null;
  /** What the merchant may ask for at most, cents. */
  readonly amount_max: bigint;
}
/** What its row says is due has come. */
export interface AdvanceInstallmentPlan {
  readonly type: 'AdvanceInstallmentPlan';
  /** ISO 8601, business time. */
  readonly due_at: string;
  readonly now: string;
}
export interface CancelInstallmentPlan {
  readonly type: 'CancelInstallmentPlan';
  readonly now: string;
}

/** What happens to an installment plan, by the type of the command. All else is refused by name. */
export const installmentPlanDecider = {
  initial: UNKNOWN_INSTALLMENT_PLAN,
  evolve: evolveInstallmentPlan,
  decide: {
    CreateInstallmentPlan: createInstallmentPlan,
    AdvanceInstallmentPlan: advanceInstallmentPlan,
    RequestInstallment: requestInstallment,
    RecordInstallmentCharge: recordInstallmentCharge,
    RecordInstallmentPayment: recordInstallmentPayment,
    FailInstallmentCharge: failInstallmentCharge,
    PayInstallment: payInstallment,
    CancelInstallmentPlan: cancelInstallmentPlan,
  },
} satisfies Decider<InstallmentPlan, InstallmentPlanEvent>;

type Unplannable =
  | 'installment_plan_exists'
  | 'first_payment_date_past'
  | 'installment_too_small'
  | 'amount_too_large';

function createInstallmentPlan(
  { terms: asked, customer, amount_max }: CreateInstallmentPlan,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, Unplannable> {
  if (state.status !== 'unknown') return refuse('installment_plan_exists');
  const { first_payment_date, created_at, total_usd_cents, late_fee_usd_cents } = asked;
  if (first_payment_date < created_at) {
    return refuse('first_payment_date_past', { first_payment_date });
  }
  const schedule = scheduleOf(asked);
  const largest = BigInt(schedule.at(-1)?.amount_usd_cents ?? '0');
  if (schedule[0]?.amount_usd_cents === '0') return refuse('installment_too_small');
  const too_large =
    aboveMaximum(BigInt(total_usd_cents), amount_max) ??
    aboveMaximum(largest + BigInt(late_fee_usd_cents), amount_max);
  if (too_large) return too_large;
  const created = { terms: { ...asked, schedule }, customer };
  const after = figuresOfInstallments(newInstallmentPlan(created));
  return accept<InstallmentPlanEvent>({
    type: 'InstallmentPlanCreated',
    data: { ...created, after },
  });
}

/** Done before, or over: nothing is left to do. */
function advanceInstallmentPlan(
  { due_at, now }: AdvanceInstallmentPlan,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, 'installment_plan_unknown' | 'not_due_yet'> {
  if (state.status === 'unknown') return refuse('installment_plan_unknown');
  const next = installmentPlanDueAt(state);
  if (next === null) return accept<InstallmentPlanEvent>();
  if (due_at < next) return refuse('not_due_yet', { due_at: next });
  return takenInstallments(caughtUp(beginInstallments(state), doneAt(due_at, now)));
}

/** What was paid stays paid; what was not is voided. */
function cancelInstallmentPlan(
  { now }: CancelInstallmentPlan,
  state: InstallmentPlan,
): Decision<InstallmentPlanEvent, 'installment_plan_unknown' | 'plan_not_active'> {
  if (state.status === 'unknown') return refuse('installment_plan_unknown');
  if (state.status !== 'active') return refuse('plan_not_active', { status: state.status });
  const data = { cancelled_at: now };
  return takenInstallments(
    occurred(beginInstallments(state), { type: 'InstallmentPlanCancelled', data }),
  );
}
