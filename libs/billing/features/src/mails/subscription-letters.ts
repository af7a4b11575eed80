import {
  ATTEMPTS_MAX,
  evolveSubscription,
  mayBeMailed,
  UNKNOWN_SUBSCRIPTION,
  type Charge,
  type KnownSubscription,
  type Subscription,
  type SubscriptionEvent,
} from '@tender/billing-domain';
import type { MailPart } from '@tender/mail';
import { cents, day, moment, type Letter } from './letter';
import { WORDS } from './words';

/** What a letter is about, and which charge can be paid by it. */
interface Told {
  readonly kind: 'charge_due' | 'payment_failed' | 'cancelled';
  readonly charge: Charge | null;
  readonly payment_url: string | null;
}

/** The letter of the last of these events of a subscription; null where its customer is not written to. */
export function subscriptionLetter(history: readonly SubscriptionEvent[]): Letter | null {
  const event = history.at(-1);
  const subscription = history.reduce<Subscription>(evolveSubscription, UNKNOWN_SUBSCRIPTION);
  if (!event || subscription.status === 'unknown' || !mayBeMailed(subscription)) return null;
  const { customer, terms } = subscription;
  const told = toldOf(event, history.at(-2), subscription);
  if (told === null || customer === null) return null;
  const words = WORDS[terms.locale];
  return {
    customer,
    locale: terms.locale,
    says(shop, name) {
      const { text, ...said } = words[told.kind]({ shop, plan: terms.plan.plan_name });
      return { ...said, parts: partsOf(subscription, told, `${words.hello(name)}\n${text}`) };
    },
  };
}

/** Of a charge its customer hears once its link is there; of the last one that failed, by the end that it brings. */
function toldOf(
  event: SubscriptionEvent,
  before: SubscriptionEvent | undefined,
  { charge }: KnownSubscription,
): Told | null {
  if (event.type === 'SubscriptionChargeOpened') {
    return { kind: 'charge_due', charge, payment_url: event.data.opened.payment_url };
  }
  if (event.type === 'SubscriptionPaymentFailed') {
    return isLastFailure(event)
      ? null
      : { kind: 'payment_failed', charge: null, payment_url: null };
  }
  // The reason alone does not tell: who cancels may give the same one.
  const has_failed =
    event.type === 'SubscriptionCancelled' &&
    event.data.cancellation_reason === 'payment_failed' &&
    isLastFailure(before);
  return has_failed ? { kind: 'cancelled', charge: null, payment_url: null } : null;
}

const isLastFailure = (event: SubscriptionEvent | undefined): boolean =>
  event?.type === 'SubscriptionPaymentFailed' && event.data.charge.attempt >= ATTEMPTS_MAX;

function partsOf(
  { terms, calendar }: KnownSubscription,
  { charge, payment_url }: Told,
  text: string,
): readonly MailPart[] {
  const { locale, plan } = terms;
  const { labels, pay, period } = WORDS[locale];
  const amount = cents(plan.amount_minor, plan.currency, locale);
  const rows = [
    { label: labels.subscription, value: plan.plan_name },
    { label: labels.amount, value: amount },
    { label: labels.period, value: period(day(calendar.start, locale), day(calendar.end, locale)) },
    ...(charge === null
      ? []
      : [{ label: labels.pay_before, value: moment(charge.expires_at, locale) }]),
  ];
  return [
    { kind: 'paragraph', text },
    { kind: 'facts', rows },
    ...(payment_url === null
      ? []
      : [{ kind: 'action', label: pay(amount), url: payment_url } as const]),
  ];
}
