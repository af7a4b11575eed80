import type { OpenedCharge } from '../charge';
import type {
  AdvanceInstallmentPlan,
  CancelInstallmentPlan,
  CreateInstallmentPlan,
} from '../decide-installment-plan';
import type { InstallmentPlanTerms } from '../installment-plan';
import type {
  FailInstallmentCharge,
  PayInstallment,
  RecordInstallmentCharge,
  RecordInstallmentPayment,
  RequestInstallment,
} from '../pay-installment';
import { OPENED } from './a-subscription';

export const CREATED = '2026-01-01T09:00:00.000Z';
export const FIRST = '2026-01-11T09:00:00.000Z';
type AskedPlan = Omit<InstallmentPlanTerms, 'schedule'>;
const terms: AskedPlan = {
  plan_id: 'inst_test_0000000000000000000007',
  merchant_id: '8d8e8f90-9192-8394-9596-979899a0a1a2',
  mode: 'test',
  customer_wallet: 'C1vEHzK6sTQxT8d4Qw5ZeRxqgqSuxfrZ3bPz3qUq8mJd',
  total_usd_cents: '10000',
  installment_count: 3,
  payment_frequency_days: 30,
  first_payment_date: FIRST,
  description: 'A bicycle',
  late_fee_usd_cents: '500',
  grace_period_days: 7,
  metadata: { order: '42' },
  locale: 'en',
  created_at: CREATED,
};

export const createPlan = (
  changes: Partial<AskedPlan> = {},
  amount_max = 99_999_999n,
): CreateInstallmentPlan => ({
  ...{ type: 'CreateInstallmentPlan', terms: { ...terms, ...changes }, amount_max },
  customer: { subject_id: 'subject-7', email_sealed: 'sealed' },
});
export const advancePlan = (due_at: string, now = due_at): AdvanceInstallmentPlan => ({
  ...{ type: 'AdvanceInstallmentPlan', due_at, now },
});
export const requestInstallment = (now: string): RequestInstallment => ({
  ...{ type: 'RequestInstallment', now },
});
export const recordCharge = (
  installment_number: number,
  charge_number: number,
  opened: OpenedCharge = OPENED,
): RecordInstallmentCharge => ({
  ...{ type: 'RecordInstallmentCharge', installment_number, charge_number, opened },
});
export const recordPayment = (
  installment_number: number,
  payment_id = 'pay_test_begun',
): RecordInstallmentPayment => ({
  ...{ type: 'RecordInstallmentPayment', installment_number, payment_id },
  payment_link_id: OPENED.payment_link_id,
});
export const failCharge = (
  installment_number: number,
  charge_number: number,
  now: string,
): FailInstallmentCharge => ({
  ...{ type: 'FailInstallmentCharge', installment_number, charge_number, now },
});
export const payInstallment = (
  installment_number: number,
  now: string,
  payment_id = `pay_test_${installment_number}`,
  paid_at = now,
): PayInstallment => ({
  ...{ type: 'PayInstallment', installment_number, paid_by: { payment_id, paid_at }, now },
});
export const cancelPlan = (now: string): CancelInstallmentPlan => ({
  ...{ type: 'CancelInstallmentPlan', now },
});
