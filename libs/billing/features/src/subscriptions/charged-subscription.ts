import { endedCharge, type SubscriptionEvent } from '@tender/billing-domain';
import { ownEvent } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { Charged } from '../charges/charged';
import { closeLink } from '../charges/close-link';
import { subscription } from './subscription.aggregate';

/** A period is paid by the link of any of its attempts. */
export const chargedSubscription = {
  noun: 'subscription',
  named_by: 'subscription_id',
  partOf(event) {
    const { type, data } = ownEvent<SubscriptionEvent>(event);
    if (type !== 'SubscriptionChargeOpened') return null;
    const { terms, opened, period_number } = data;
    const { payment_link_id } = opened;
    return { payment_link_id, object_id: terms.subscription_id, part: period_number };
  },
  async settle(runtime, { mode, object_id, part, paid_by, now }, origin) {
    const command = { type: 'PayPeriod', period_number: part, paid_by, now } as const;
    const handled = await subscription.handle(runtime, mode, object_id, command, origin);
    const holds = handled.ok || handled.refusal === 'period_already_paid';
    invariant(holds, `${object_id} takes the money of its period ${part}`);
  },
  async fail(runtime, { mode, object_id, now }, origin) {
    const known = await subscription.load(runtime, mode, object_id);
    const ended = known && endedCharge(known);
    if (!ended) return;
    const { merchant_id } = known.terms;
    const { charge_number } = ended.charge;
    const closing = { ...origin, mode, merchant_id };
    if (await closeLink(runtime, closing, ended.opened.payment_link_id)) return;
    const command_id = `billing.fail-charge|${object_id}|${charge_number}`;
    const command = { type: 'FailSubscriptionCharge', charge_number, now } as const;
    const failing = { ...origin, command_id, merchant_id };
    const handled = await subscription.handle(runtime, mode, object_id, command, failing);
    invariant(handled.ok, `${object_id} is there before its charges end`);
  },
} satisfies Charged;
