import type { AgreedPlan, CreateSubscription, KnownSubscription } from '@tender/billing-domain';
import { newId, subscriptionIds } from '@tender/contracts';
import { isoTime } from '@tender/kernel';
import type { ContextStage } from '@tender/runtime/testing';
import { subscription } from '../subscriptions/subscription.aggregate';

export const DAY_MS = 24 * 60 * 60 * 1000;

const PLAN: AgreedPlan = {
  ...{ plan_id: 'plan_test_0000000000000000000007', plan_name: 'Gold', amount_minor: '2999' },
  ...{ currency: 'USD', billing_interval: 'monthly', interval_count: 1 } as const,
  ...{ trial_days: 0, max_cycles: null },
};

/** A subscription of merchant m1 to a monthly plan, made without its route. */
export async function givenSubscription(
  { runtime }: ContextStage,
  plan: Partial<AgreedPlan> = {},
): Promise<KnownSubscription> {
  const { random, clock } = runtime;
  const subscription_id = newId(subscriptionIds, 'test', random.bytes(16));
  const command: CreateSubscription = {
    type: 'CreateSubscription',
    terms: {
      ...{ subscription_id, merchant_id: 'm1', mode: 'test', plan: { ...PLAN, ...plan } },
      ...{ customer_wallet: 'C1', metadata: {}, locale: 'en', made_by: 'merchant' },
      created_at: isoTime(clock.now()),
    },
    ...{ customer: null, plan_is_active: true },
  };
  const handled = await subscription.handle(runtime, 'test', subscription_id, command, {
    ...{ command_id: random.uuid(), body_hash: null, merchant_id: 'm1', actor: 'key:k1' },
    ...{ correlation_id: random.uuid(), causation_id: null },
  });
  if (!handled.ok) throw new Error(handled.refusal);
  return handled.state;
}
