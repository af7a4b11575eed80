import type { Mode } from '@tender/kernel';
import type { Locale, OpenedCharge, PaidBy, SealedRecipient } from './charge';
import type { EventOf, FactOf } from './happened';
import type { Remindable } from './reminders';
import type { Division, ScheduledInstallment } from './installment-shares';

/** What an installment plan is about: fixed when it is created. Times are ISO 8601 with milliseconds, UTC. */
export interface InstallmentPlanTerms extends Division {
  readonly plan_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly customer_wallet: string;
  readonly description: string | null;
  /** Added to an installment that is late; '0': nothing. */
  readonly late_fee_usd_cents: string;
  readonly grace_period_days: number;
  readonly schedule: readonly ScheduledInstallment[];
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly locale: Locale;
  readonly created_at: string;
}

export type InstallmentPlanStatus = 'active' | 'completed' | 'defaulted' | 'cancelled';
export type InstallmentStatus = 'pending' | 'late' | 'paid' | 'voided';

/** What an installment is paid by, and until when. */
export interface InstallmentCharge {
  /** Of this installment, from 1 on: what payments opens for it derives from this. */
  readonly charge_number: number;
  /** The share, with the fee once it is late. */
  readonly amount_usd_cents: string;
  readonly expires_at: string;
}

export interface Installment extends ScheduledInstallment, Remindable {
  readonly status: InstallmentStatus;
  /** Its share, and the fee where one was added. */
  readonly owed_usd_cents: string;
  /** From when on the time to pay counts: the due date, or when it was asked for if no timer ran then. */
  readonly asked_at: string | null;
  readonly next_reminder_at: string | null;
  readonly charge: InstallmentCharge | null;
  readonly opened: OpenedCharge | null;
  /** The time of its charge is over, and payments has yet to say that nothing was paid in it. */
  readonly charge_ended: boolean;
  readonly paid_by: PaidBy | null;
}

/** What an event leaves, of what merchants are told of a plan. */
export interface InstallmentPlanFigures {
  readonly status: InstallmentPlanStatus;
  readonly paid_installments: number;
}

interface InstallmentPlanFacts {
  readonly InstallmentPlanCreated: { readonly customer: SealedRecipient | null };
  /** Its customer is to be told that it will be due, that it is late, or once more how it is paid. */
  readonly InstallmentReminded: {
    readonly installment_number: number;
    readonly about: 'upcoming' | 'late' | 'payable';
    readonly reminded_at: string;
    readonly next_reminder_at: string | null;
  };
  /** Its due date has come; its customer is told how to pay. */
  readonly InstallmentDue: { readonly installment_number: number; readonly asked_at: string };
  /** It can be paid by a link of its own from now on, and by no earlier one. */
  readonly InstallmentCharged: {
    readonly installment_number: number;
    readonly charge: InstallmentCharge;
    readonly charged_at: string;
  };
  /** The link exists. */
  readonly InstallmentChargeOpened: {
    readonly installment_number: number;
    readonly charge_number: number;
    readonly opened: OpenedCharge;
  };
  /** By its link a payment has begun: the first, or another after one that failed. */
  readonly InstallmentPaymentBegun: {
    readonly installment_number: number;
    readonly payment_id: string;
  };
  /** The time of a charge is over. What came of it payments says, once the chain was seen past that time. */
  readonly InstallmentChargeEnded: {
    readonly installment_number: number;
    readonly charge_number: number;
    readonly ended_at: string;
  };
  readonly InstallmentLate: {
    readonly installment_number: number;
    /** What is owed with the fee. */
    readonly amount_usd_cents: string;
    readonly late_at: string;
    readonly next_reminder_at: string;
  };
  /** Be it late, or after the end of the plan. */
  readonly InstallmentPaid: {
    readonly installment_number: number;
    readonly amount_usd_cents: string;
    readonly paid_by: PaidBy;
    readonly recorded_at: string;
  };
  readonly InstallmentDefaulted: {
    /** The one that was missed. */
    readonly installment_number: number;
    readonly amount_usd_cents: string;
    readonly defaulted_at: string;
  };
  readonly InstallmentPlanCompleted: {
    /** The last one that was paid. */
    readonly installment_number: number;
    readonly amount_usd_cents: string;
    readonly completed_at: string;
  };
  readonly InstallmentPlanCancelled: { readonly cancelled_at: string };
}

/** What has happened. */
export type InstallmentPlanFact = FactOf<InstallmentPlanFacts>;

export type InstallmentPlanEvent = EventOf<
  InstallmentPlanFacts,
  {
    readonly terms: InstallmentPlanTerms;
    readonly after: InstallmentPlanFigures;
  }
>;

export interface KnownInstallmentPlan {
  readonly status: InstallmentPlanStatus;
  readonly terms: InstallmentPlanTerms;
  readonly customer: SealedRecipient | null;
  readonly installments: readonly Installment[];
  readonly completed_at: string | null;
  readonly defaulted_at: string | null;
  readonly cancelled_at: string | null;
  readonly updated_at: string;
}
export type InstallmentPlan = { readonly status: 'unknown' } | KnownInstallmentPlan;

export const UNKNOWN_INSTALLMENT_PLAN: InstallmentPlan = { status: 'unknown' };

export const figuresOfInstallments = ({
  status,
  installments,
}: KnownInstallmentPlan): InstallmentPlanFigures => ({
  status,
  paid_installments: installments.filter(({ paid_by }) => paid_by !== null).length,
});
