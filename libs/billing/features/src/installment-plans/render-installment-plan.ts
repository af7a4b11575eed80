import { CENT_PLACES, type Installment, type KnownInstallmentPlan } from '@tender/billing-domain';
import type { InstallmentAnswer, InstallmentPlanAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { fromUnits } from '@tender/kernel';
import { openRecipient } from '../recipients/recipients';

/** Cents as clients see them. */
export const usdOf = (cents: string): number => fromUnits(BigInt(cents), CENT_PLACES);

export const renderInstallment = (installment: Installment): InstallmentAnswer => {
  const { installment_number, due_date, status, owed_usd_cents, opened, paid_by } = installment;
  return {
    installment_number,
    due_date,
    amount: usdOf(owed_usd_cents),
    status,
    payment_id: paid_by?.payment_id ?? opened?.payment_id ?? null,
    payment_url: opened?.payment_url ?? null,
    paid_at: paid_by?.paid_at ?? null,
  };
};

/** A plan as its merchant sees it; without the e-mail of a customer who was erased. */
export async function renderInstallmentPlan(
  runtime: Pick<Runtime, 'keyRing'>,
  plan: KnownInstallmentPlan,
): Promise<InstallmentPlanAnswer> {
  const { terms, customer, installments, status } = plan;
  const known = customer && (await openRecipient(runtime, customer));
  const { late_fee_usd_cents } = terms;
  return {
    id: terms.plan_id,
    plan_id: terms.plan_id,
    merchant_id: terms.merchant_id,
    customer_wallet: terms.customer_wallet,
    customer_email: known?.email ?? null,
    total_amount: usdOf(terms.total_usd_cents),
    installment_count: terms.installment_count,
    amount_per_installment: usdOf(terms.schedule[0]?.amount_usd_cents ?? '0'),
    payment_frequency_days: terms.payment_frequency_days,
    first_payment_date: terms.first_payment_date,
    paid_count: installments.filter(({ paid_by }) => paid_by !== null).length,
    status,
    description: terms.description,
    late_fee_amount: late_fee_usd_cents === '0' ? null : usdOf(late_fee_usd_cents),
    grace_period_days: terms.grace_period_days,
    payment_schedule: installments.map(renderInstallment),
    metadata: terms.metadata,
    locale: terms.locale,
    mode: terms.mode,
    created_at: terms.created_at,
    updated_at: plan.updated_at,
    completed_at: plan.completed_at,
    defaulted_at: plan.defaulted_at,
    cancelled_at: plan.cancelled_at,
  };
}
