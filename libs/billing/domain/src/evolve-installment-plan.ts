import {
  type Installment,
  type InstallmentPlan,
  type InstallmentPlanEvent,
  type InstallmentPlanFact,
  type InstallmentPlanTerms,
  type KnownInstallmentPlan,
} from './installment-plan';
import type { ScheduledInstallment } from './installment-shares';
import { firstReminderAt } from './installment-times';
import { remindedAt } from './reminders';

/** The fold: of the decider, of the row and of a GET by id alike. */
export function evolveInstallmentPlan(
  state: InstallmentPlan,
  event: InstallmentPlanEvent,
): InstallmentPlan {
  if (event.type === 'InstallmentPlanCreated') return newInstallmentPlan(event.data);
  return state.status === 'unknown' ? state : installmentPlanAfter(state, event);
}

/** A plan that nothing has happened to yet. */
export const newInstallmentPlan = ({
  terms,
  customer,
}: Pick<KnownInstallmentPlan, 'terms' | 'customer'>): KnownInstallmentPlan => ({
  status: 'active',
  terms,
  customer,
  installments: terms.schedule.map((scheduled) => newInstallment(scheduled, terms)),
  completed_at: null,
  defaulted_at: null,
  cancelled_at: null,
  updated_at: terms.created_at,
});

const newInstallment = (
  scheduled: ScheduledInstallment,
  { created_at }: InstallmentPlanTerms,
): Installment => ({
  ...scheduled,
  status: 'pending',
  owed_usd_cents: scheduled.amount_usd_cents,
  asked_at: null,
  next_reminder_at: firstReminderAt(scheduled.due_date, created_at),
  charge: null,
  opened: null,
  charge_ended: false,
  paid_by: null,
});

/** The plan once this has happened to it. */
export function installmentPlanAfter(
  state: KnownInstallmentPlan,
  fact: InstallmentPlanFact,
): KnownInstallmentPlan {
  switch (fact.type) {
    case 'InstallmentReminded': {
      const { next_reminder_at, reminded_at: at, about, installment_number } = fact.data;
      const before = state.installments[installment_number - 1];
      const counted = about === 'payable' ? { reminded_at: remindedAt(before ?? {}, at) } : {};
      return changed(state, fact, { next_reminder_at, ...counted }, at);
    }
    case 'InstallmentDue': {
      const { asked_at } = fact.data;
      return changed(state, fact, { asked_at, next_reminder_at: null }, asked_at);
    }
    case 'InstallmentCharged': {
      const { charge, charged_at } = fact.data;
      const fresh = { charge, opened: null, charge_ended: false };
      return changed(state, fact, fresh, charged_at);
    }
    case 'InstallmentChargeOpened':
      return changed(state, fact, { opened: fact.data.opened }, state.updated_at);
    case 'InstallmentPaymentBegun': {
      const { installment_number, payment_id } = fact.data;
      const opened = state.installments[installment_number - 1]?.opened;
      if (opened == null) return state;
      return changed(state, fact, { opened: { ...opened, payment_id } }, state.updated_at);
    }
    case 'InstallmentChargeEnded':
      return changed(state, fact, { charge_ended: true }, state.updated_at);
    case 'InstallmentLate': {
      const { amount_usd_cents: owed_usd_cents, next_reminder_at, late_at } = fact.data;
      return changed(state, fact, { status: 'late', owed_usd_cents, next_reminder_at }, late_at);
    }
    case 'InstallmentPaid': {
      const { amount_usd_cents: owed_usd_cents, paid_by, recorded_at } = fact.data;
      return changed(state, fact, { status: 'paid', owed_usd_cents, paid_by }, recorded_at);
    }
    default:
      return ended(state, fact);
  }
}

function ended(state: KnownInstallmentPlan, fact: InstallmentPlanFact): KnownInstallmentPlan {
  switch (fact.type) {
    case 'InstallmentDefaulted': {
      const { defaulted_at } = fact.data;
      return { ...state, status: 'defaulted', defaulted_at, updated_at: defaulted_at };
    }
    case 'InstallmentPlanCompleted': {
      const { completed_at } = fact.data;
      return { ...state, status: 'completed', completed_at, updated_at: completed_at };
    }
    case 'InstallmentPlanCancelled': {
      const { cancelled_at } = fact.data;
      const installments = state.installments.map((installment) =>
        installment.paid_by === null ? { ...installment, status: 'voided' as const } : installment,
      );
      return { ...state, status: 'cancelled', installments, cancelled_at, updated_at: cancelled_at };
    }
    default:
      return state;
  }
}

/** One of its installments is another now. */
function changed(
  state: KnownInstallmentPlan,
  { data: { installment_number } }: { readonly data: { readonly installment_number: number } },
  change: Partial<Installment>,
  updated_at: string,
): KnownInstallmentPlan {
  const installments = state.installments.map((installment) =>
    installment.installment_number === installment_number
      ? { ...installment, ...change }
      : installment,
  );
  return { ...state, installments, updated_at };
}
