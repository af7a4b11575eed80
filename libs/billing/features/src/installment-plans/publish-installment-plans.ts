import type { InstallmentPlanEvent } from '@tender/billing-domain';
import {
  installmentCharged,
  installmentChargeEnded,
  installmentDefaulted,
  installmentLate,
  installmentPaid,
  installmentPlanCancelled,
  installmentPlanCompleted,
} from '@tender/contracts';
import { tells, type Publications } from '@tender/eventing';
import type { MAIL_PUBLICATIONS } from '../mails/tell-mails';
import { usdOf } from './render-installment-plan';

/** An event of one installment, and what was owed of it. */
type OfInstallment = Extract<
  InstallmentPlanEvent,
  { readonly data: { readonly installment_number: number; readonly amount_usd_cents: string } }
>;

/** The plan right after the event. */
const planAt = ({ data }: OfInstallment) => {
  const { terms, after, installment_number, amount_usd_cents } = data;
  return {
    installment_plan: {
      installment_plan_id: terms.plan_id,
      merchant_id: terms.merchant_id,
      customer_wallet: terms.customer_wallet,
      total_amount: usdOf(terms.total_usd_cents),
      total_installments: terms.installment_count,
      installment_number,
      installment_amount: usdOf(amount_usd_cents),
      paid_installments: after.paid_installments,
      status: after.status,
    },
  };
};

const idOf = ({ data: { terms } }: InstallmentPlanEvent) => ({
  installment_plan_id: terms.plan_id,
});

/** Merchants hear what became of an installment; that it is charged is for billing, that it is asked for for mails. */
export const INSTALLMENT_PLAN_PUBLICATIONS: Omit<
  Publications<InstallmentPlanEvent>,
  keyof typeof MAIL_PUBLICATIONS
> = {
  InstallmentPlanCreated: 'private',
  InstallmentCharged: tells(installmentCharged, (event) => ({
    ...idOf(event),
    installment_number: event.data.installment_number,
    charge_number: event.data.charge.charge_number,
  })),
  InstallmentPaymentBegun: 'private',
  InstallmentChargeEnded: tells(installmentChargeEnded, (event) => ({
    ...idOf(event),
    installment_number: event.data.installment_number,
  })),
  InstallmentLate: tells(installmentLate, planAt),
  InstallmentPaid: tells(installmentPaid, planAt),
  InstallmentDefaulted: tells(installmentDefaulted, planAt),
  InstallmentPlanCompleted: tells(installmentPlanCompleted, planAt),
  InstallmentPlanCancelled: tells(installmentPlanCancelled, idOf),
};
