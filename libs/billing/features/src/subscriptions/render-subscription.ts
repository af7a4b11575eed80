import type {
  Charge,
  SubscriptionEvent,
  SubscriptionFigures,
  SubscriptionTerms,
} from '@tender/billing-domain';
import type { SubscriptionChargeSnapshot, SubscriptionFact, SubscriptionSnapshot } from '@tender/contracts';
import { fromUnits } from '@tender/kernel';

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

/** The subscription right after the event, and what is to be paid from then on. */
export const subscriptionAt = (event: SubscriptionEvent): SubscriptionFact => {
  const { terms, after } = event.data;
  return {
    subscription: renderSnapshot(terms, after),
    merchant_id: terms.merchant_id,
    mode: terms.mode,
    charge: chargeAt(event),
  };
};

function chargeAt(event: SubscriptionEvent): SubscriptionChargeSnapshot | null {
  switch (event.type) {
    case 'SubscriptionCreated': {
      const { charge } = event.data;
      return charge && renderCharge(event, 1, charge);
    }
    case 'SubscriptionPeriodOpened':
    case 'SubscriptionChargeDue':
      return renderCharge(event, event.data.period_number, event.data.charge);
    default:
      return null;
  }
}

function renderCharge(
  { data: { terms, after } }: SubscriptionEvent,
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
