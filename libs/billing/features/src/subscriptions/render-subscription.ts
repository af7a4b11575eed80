import {
  chargeToPay,
  figuresOf,
  type Charge,
  type KnownSubscription,
  type SubscriptionEvent,
  type SubscriptionFigures,
  type SubscriptionTerms,
} from '@tender/billing-domain';
import type {
  SubscriptionAnswer,
  SubscriptionChargeSnapshot,
  SubscriptionFact,
  SubscriptionSnapshot,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { fromUnits } from '@tender/kernel';
import { openRecipient } from '../recipients/recipients';

const CENT_PLACES = 2;

/** A subscription as webhooks show it: what it is about, and what an event has left of it. */
export const renderSnapshot = (
  terms: SubscriptionTerms,
  figures: SubscriptionFigures,
): SubscriptionSnapshot => ({
  id: terms.subscription_id,
  plan_id: terms.plan.plan_id,
  plan_name: terms.plan.plan_name,
  customer_wallet: terms.customer_wallet,
  status: figures.status,
  current_period_start: figures.current_period_start,
  current_period_end: figures.current_period_end,
  cycles_completed: figures.cycles_completed,
  next_payment_attempt: figures.next_payment_attempt,
  trial_end: terms.trial_end,
  created_at: terms.created_at,
});

/** The subscription as it is, and the charge that is open or to be opened. */
export const subscriptionNow = (known: KnownSubscription): SubscriptionFact => {
  const { terms, charge, period_number } = known;
  const after = figuresOf(known);
  return {
    ...factOf(terms, after),
    charge: charge && renderCharge({ terms, after }, period_number, charge),
  };
};

/** The subscription right after the event, and what is to be paid from then on. */
export const subscriptionAt = (event: SubscriptionEvent): SubscriptionFact => {
  const { terms, after } = event.data;
  return { ...factOf(terms, after), charge: chargeAt(event) };
};

const factOf = (terms: SubscriptionTerms, after: SubscriptionFigures) => ({
  subscription: renderSnapshot(terms, after),
  merchant_id: terms.merchant_id,
  mode: terms.mode,
});

function chargeAt(event: SubscriptionEvent): SubscriptionChargeSnapshot | null {
  switch (event.type) {
    case 'SubscriptionCreated': {
      const { charge } = event.data;
      return charge && renderCharge(event.data, 1, charge);
    }
    case 'SubscriptionPeriodOpened':
    case 'SubscriptionChargeDue':
      return renderCharge(event.data, event.data.period_number, event.data.charge);
    default:
      return null;
  }
}

function renderCharge(
  { terms, after }: Pick<SubscriptionEvent['data'], 'terms' | 'after'>,
  period_number: number,
  { charge_number, expires_at }: Charge,
): SubscriptionChargeSnapshot {
  return {
    period_number,
    period_start: after.current_period_start,
    period_end: after.current_period_end,
    charge_number,
    amount: fromUnits(BigInt(terms.plan.amount_minor), CENT_PLACES),
    currency: terms.plan.currency,
    expires_at,
  };
}

/** A subscription as clients see it. `to_owner`: with what is its merchant’s alone. */
export async function renderSubscription(
  runtime: Pick<Runtime, 'keyRing'>,
  known: KnownSubscription,
  to_owner: boolean,
): Promise<SubscriptionAnswer> {
  const { terms, paused } = known;
  const shown: SubscriptionAnswer = {
    ...renderSnapshot(terms, figuresOf(known)),
    payment_url: paymentUrlOf(known),
    merchant_id: terms.merchant_id,
    amount: fromUnits(BigInt(terms.plan.amount_minor), CENT_PLACES),
    currency: terms.plan.currency,
    cancel_at_period_end: known.ends_with_period !== null,
    cancellation_reason: known.cancellation_reason,
    cancelled_at: known.cancelled_at,
    paused_at: paused?.paused_at ?? null,
    resumes_at: paused?.resumes_at ?? null,
    locale: terms.locale,
    mode: terms.mode,
    updated_at: known.updated_at,
  };
  if (!to_owner) return shown;
  const recipient = known.customer && (await openRecipient(runtime, known.customer));
  const { email, name } = recipient ?? { email: null, name: null };
  return { ...shown, customer_email: email, customer_name: name, metadata: terms.metadata };
}

/** Null, too, once the time of its link is over: another comes if payments says that nothing was paid. */
const paymentUrlOf = (known: KnownSubscription): string | null =>
  chargeToPay(known).ok && known.charge_ended === null ? (known.opened?.payment_url ?? null) : null;
