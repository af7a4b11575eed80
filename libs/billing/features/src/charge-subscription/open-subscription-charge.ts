import type { KnownSubscription, OpenedCharge } from '@tender/billing-domain';
import type { ClaimRefusal, SubscriptionFact } from '@tender/contracts';
import type { CommandOrigin, Runtime } from '@tender/eventing';
import { done, invariant, refuse, type Outcome } from '@tender/kernel';
import { closeLink } from '../charges/close-link';
import { openCharge } from '../charges/open-charge';
import { chargedSubscription } from '../subscriptions/charged-subscription';
import { subscription } from '../subscriptions/subscription.aggregate';

type Needs = Pick<Runtime, 'calls' | 'log' | 'eventStore' | 'clock' | 'random'>;

/** A charge that can be paid now, and the subscription that knows it. */
export interface OpenSubscriptionCharge {
  readonly opened: OpenedCharge;
  readonly state: KnownSubscription;
}

/**
 * Opens what a period is paid by, and tells the subscription. Asked again for the same charge, it is the same link.
 * Refuses what payments does, and a charge that is over by now: then its link is closed.
 */
export async function openSubscriptionCharge(
  runtime: Needs,
  { subscription: { id, plan_name }, merchant_id, mode, charge }: SubscriptionFact,
  { correlation_id, actor }: Pick<CommandOrigin, 'correlation_id' | 'actor'>,
): Promise<Outcome<OpenSubscriptionCharge, ClaimRefusal | 'charge_over'>> {
  if (charge === null) return refuse('charge_over');
  const { charge_number, amount, currency, expires_at, period_start, period_end } = charge;
  const closing = { mode, merchant_id, correlation_id };
  const asked = await openCharge(runtime, {
    ...{ mode, correlation_id, object_id: id, charge: String(charge_number) },
    claim: {
      ...{ merchant_id, amount, currency, description: plan_name },
      metadata: { [chargedSubscription.named_by]: id, period_start, period_end },
      payments_expire_at: expires_at,
    },
  });
  if (!asked.ok) return asked;
  const opened = asked.value;
  const command = { type: 'RecordSubscriptionCharge', charge_number, opened } as const;
  const handled = await subscription.handle(runtime, mode, id, command, {
    ...{ command_id: `billing.record-charge|${id}|${charge_number}`, body_hash: null, merchant_id },
    ...{ actor, correlation_id, causation_id: null },
  });
  if (handled.ok) return done({ opened, state: handled.state });
  invariant(handled.refusal === 'charge_over', `${id} knows its charge ${charge_number}`);
  await closeLink(runtime, closing, opened.payment_link_id);
  return refuse('charge_over');
}
