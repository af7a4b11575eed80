import {
  evolveInstallmentPlan,
  payableUntil,
  UNKNOWN_INSTALLMENT_PLAN,
  type Installment,
  type InstallmentPlan,
  type InstallmentPlanEvent,
  type KnownInstallmentPlan,
} from '@tender/billing-domain';
import type { MailPart } from '@tender/mail';
import { cents, day, moment, type Letter } from './letter';
import { WORDS } from './words';

type Kind =
  | 'installment_upcoming'
  | 'installment_upcoming_payable'
  | 'installment_due'
  | 'installment_late';

/** The letter of the last of these events of a plan; null where its customer is not written to. */
export function installmentLetter(history: readonly InstallmentPlanEvent[]): Letter | null {
  const event = history.at(-1);
  const plan = history.reduce<InstallmentPlan>(evolveInstallmentPlan, UNKNOWN_INSTALLMENT_PLAN);
  if (!event || plan.status === 'unknown' || plan.customer === null) return null;
  if (!('installment_number' in event.data)) return null;
  const installment = plan.installments[event.data.installment_number - 1];
  const kind = installment && kindOf(event, installment, plan);
  if (!installment || !kind) return null;
  const { customer, terms } = plan;
  const words = WORDS[terms.locale];
  const { installment_number: number, due_date } = installment;
  return {
    customer,
    locale: terms.locale,
    says(shop, name) {
      const count = terms.installment_count;
      const due = { shop, number, count, day: day(due_date, terms.locale) };
      const { text, ...said } = words[kind](due);
      return { ...said, parts: partsOf(plan, installment, `${words.hello(name)}\n${text}`) };
    },
  };
}

/**
 * Of a charge its customer hears once its link is there: without one it cannot be paid. One that was asked for before
 * it was due is told of again on the day, unless another takes its place.
 */
function kindOf(
  event: InstallmentPlanEvent,
  installment: Installment,
  { terms }: KnownInstallmentPlan,
): Kind | null {
  const by_status = installment.status === 'late' ? 'installment_late' : 'installment_due';
  if (event.type === 'InstallmentChargeOpened') return by_status;
  const { opened, charge } = installment;
  if (event.type === 'InstallmentReminded') {
    if (event.data.about !== 'upcoming') return opened === null ? null : by_status;
    return opened === null ? 'installment_upcoming' : 'installment_upcoming_payable';
  }
  if (event.type !== 'InstallmentDue') return null;
  const goes_on = opened !== null && charge?.expires_at === payableUntil(installment, terms);
  return goes_on ? by_status : null;
}

function partsOf(
  { terms }: KnownInstallmentPlan,
  { installment_number, due_date, owed_usd_cents, opened, charge }: Installment,
  text: string,
): readonly MailPart[] {
  const { locale, description, installment_count } = terms;
  const { labels, pay, of } = WORDS[locale];
  const amount = cents(owed_usd_cents, 'USD', locale);
  const rows = [
    ...(description === null ? [] : [{ label: labels.for, value: description }]),
    { label: labels.installment, value: of(installment_number, installment_count) },
    { label: labels.amount, value: amount },
    { label: labels.due, value: day(due_date, locale) },
    ...(charge === null
      ? []
      : [{ label: labels.pay_before, value: moment(charge.expires_at, locale) }]),
  ];
  return [
    { kind: 'paragraph', text },
    { kind: 'facts', rows },
    ...(opened === null
      ? []
      : [{ kind: 'action', label: pay(amount), url: opened.payment_url } as const]),
  ];
}
