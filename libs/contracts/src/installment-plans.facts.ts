import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNumber, IsString, ValidateNested } from 'class-validator';
import { fact } from './fact';
import { Describe } from './validation';

export const INSTALLMENT_PLAN_STATUSES = ['active', 'completed', 'defaulted', 'cancelled'] as const;
export type InstallmentPlanStatus = (typeof INSTALLMENT_PLAN_STATUSES)[number];

/**
 * The plan in facts and in webhooks, right after the event, and the installment that the event is of. Topics hold
 * records of every release: a field that is added here is optional.
 */
export class InstallmentPlanSnapshot {
  @IsString() installment_plan_id!: string;
  @IsString() merchant_id!: string;
  @IsString() customer_wallet!: string;
  @Describe('USD.') @IsNumber() total_amount!: number;
  @IsInt() total_installments!: number;
  @Describe('From 1 on.') @IsInt() installment_number!: number;
  @Describe('USD; once it is late with the late fee.') @IsNumber() installment_amount!: number;
  @IsInt() paid_installments!: number;
  @Describe('Of the plan.') @IsIn(INSTALLMENT_PLAN_STATUSES) status!: InstallmentPlanStatus;
}

export class InstallmentPlanFact {
  @ValidateNested() @Type(() => InstallmentPlanSnapshot) installment_plan!: InstallmentPlanSnapshot;
}

function installmentFact<const Type extends string, const Name extends string>(
  type: Type,
  name: Name,
) {
  return fact(type, {
    data: InstallmentPlanFact,
    webhook: {
      name,
      fills: {
        installment_plan: [InstallmentPlanSnapshot, ({ installment_plan }) => installment_plan],
      },
      resource: ({ installment_plan: { installment_plan_id, merchant_id } }) => ({
        resource_id: installment_plan_id,
        merchant_id,
        payment_id: null,
        webhook_url: null,
      }),
    },
  });
}

export const installmentPaid = installmentFact('billing.installment-paid.v1', 'InstallmentPaid');
export const installmentLate = installmentFact('billing.installment-late.v1', 'InstallmentLate');
export const installmentDefaulted = installmentFact(
  'billing.installment-defaulted.v1',
  'InstallmentDefaulted',
);
export const installmentPlanCompleted = installmentFact(
  'billing.installment-plan-completed.v1',
  'InstallmentPlanCompleted',
);

/** What is owed of an installment can be paid by a link of its own from now on, and by no earlier one. */
export class InstallmentChargedFact {
  @IsString() installment_plan_id!: string;
  @IsInt() installment_number!: number;
  @Describe('Of this installment, from 1 on.') @IsInt() charge_number!: number;
}
export const installmentCharged = fact('billing.installment-charged.v1', {
  data: InstallmentChargedFact,
});

export class InstallmentChargeEndedFact {
  @IsString() installment_plan_id!: string;
  @IsInt() installment_number!: number;
}
/** The time of a charge is over: payments is asked whether it was paid in time. */
export const installmentChargeEnded = fact('billing.installment-charge-ended.v1', {
  data: InstallmentChargeEndedFact,
});

export class InstallmentPlanCancelledFact {
  @IsString() installment_plan_id!: string;
}
export const installmentPlanCancelled = fact('billing.installment-plan-cancelled.v1', {
  data: InstallmentPlanCancelledFact,
});

export const installmentPlansFacts = [
  installmentPaid,
  installmentLate,
  installmentDefaulted,
  installmentPlanCompleted,
  installmentCharged,
  installmentChargeEnded,
  installmentPlanCancelled,
] as const;
