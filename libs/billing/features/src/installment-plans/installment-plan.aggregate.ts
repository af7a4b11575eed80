import { installmentPlanDecider, installmentPlanDueAt } from '@tender/billing-domain';
import { installmentPlanIds, modeOf } from '@tender/contracts';
import { aggregate, due } from '@tender/eventing';
import { MODES } from '@tender/kernel';

export const installmentPlan = aggregate({
  noun: 'installment',
  modes: MODES,
  modeOf: (id) => modeOf(installmentPlanIds, id),
  decider: installmentPlanDecider,
  begins: ['CreateInstallmentPlan'],
  view: {
    name: 'billing.installment-plans@1',
    table: 'billing.installment_plans',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: {
      customer_wallet: ['text', ({ terms }) => terms.customer_wallet],
      due_at: ['text', installmentPlanDueAt],
      created_at: ['text', ({ terms }) => terms.created_at],
    },
  },
});

/** Reminders, due dates, what is late and what is missed: each at its own second. */
export const advanceInstallmentPlans = due({
  name: 'billing.advance-installment-plans',
  of: installmentPlan,
  at: 'due_at',
  command: (_, due_at, now) => ({ type: 'AdvanceInstallmentPlan', due_at, now }) as const,
});
