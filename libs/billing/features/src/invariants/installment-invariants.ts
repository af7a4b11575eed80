import type { InstallmentPlanEvent } from '@tender/billing-domain';
import { installmentPlanIds, modeOf } from '@tender/contracts';
import {
  checkedKind,
  ofOneMode,
  ownEvents,
  ownInvariant,
  type InvariantCheck,
} from '@tender/eventing';
import { installmentPlan } from '../installment-plans/installment-plan.aggregate';
import { firstTwice } from './first-twice';

const plans = checkedKind(installmentPlan);

type Of<Type extends InstallmentPlanEvent['type']> = Extract<
  InstallmentPlanEvent,
  { readonly type: Type }
>['data'];

const paidOnce: InvariantCheck = ownInvariant({
  id: 'M28',
  says: 'Installments sum to the total of their plan; each is paid once and has one late fee at most.',
  of: plans,
  fault({ history }) {
    const events = ownEvents<InstallmentPlanEvent>(history);
    const terms = events[0]?.data.terms;
    if (!terms) return null;
    const sum = terms.schedule.reduce((so_far, one) => so_far + BigInt(one.amount_usd_cents), 0n);
    if (sum !== BigInt(terms.total_usd_cents)) {
      return `its installments sum to ${sum} cents, its total is ${terms.total_usd_cents}`;
    }
    const paid = events.flatMap((event) => (event.type === 'InstallmentPaid' ? event.data : []));
    const late = events.flatMap((event) => (event.type === 'InstallmentLate' ? event.data : []));
    const of_money = faultOfPaid(paid) ?? faultOfLate(late) ?? faultOfAmounts(paid, late);
    return of_money ?? faultAfterEnd(events);
  },
});

function faultOfPaid(paid: readonly Of<'InstallmentPaid'>[]): string | null {
  const number = firstTwice(paid.map(({ installment_number }) => installment_number));
  if (number !== null) return `installment ${number} is paid twice`;
  const payment = firstTwice(paid.map(({ paid_by }) => paid_by.payment_id));
  return payment === null ? null : `${payment} pays two installments`;
}

function faultOfLate(late: readonly Of<'InstallmentLate'>[]): string | null {
  const number = firstTwice(late.map(({ installment_number }) => installment_number));
  if (number !== null) return `installment ${number} has two late fees`;
  const wrong = late.find(({ terms, installment_number, amount_usd_cents }) => {
    const share = BigInt(terms.schedule[installment_number - 1]?.amount_usd_cents ?? 0);
    return BigInt(amount_usd_cents) !== share + BigInt(terms.late_fee_usd_cents);
  });
  return wrong ? `installment ${wrong.installment_number} owes more than its share and one fee` : null;
}

/** The share, or what it was with the fee where it was late. */
function faultOfAmounts(
  paid: readonly Of<'InstallmentPaid'>[],
  late: readonly Of<'InstallmentLate'>[],
): string | null {
  const wrong = paid.find(({ terms, installment_number, amount_usd_cents }) => {
    const share = terms.schedule[installment_number - 1]?.amount_usd_cents;
    const fined = late.find((one) => one.installment_number === installment_number);
    return amount_usd_cents !== share && amount_usd_cents !== fined?.amount_usd_cents;
  });
  return wrong ? `installment ${wrong.installment_number} is paid with ${wrong.amount_usd_cents} cents` : null;
}

const ENDS: ReadonlySet<InstallmentPlanEvent['type']> = new Set([
  'InstallmentPlanCompleted',
  'InstallmentPlanCancelled',
  'InstallmentDefaulted',
]);

function faultAfterEnd(events: readonly InstallmentPlanEvent[]): string | null {
  const end = events.findIndex(({ type }) => ENDS.has(type));
  const after = end < 0 ? [] : events.slice(end + 1);
  const charged = after.find(
    ({ type }) => type === 'InstallmentCharged' || type === 'InstallmentChargeOpened',
  );
  return charged ? `${charged.type} after ${events[end]?.type}` : null;
}

export const installmentInvariants: readonly InvariantCheck[] = [
  paidOnce,
  ofOneMode(plans, (id) => modeOf(installmentPlanIds, id)),
];
