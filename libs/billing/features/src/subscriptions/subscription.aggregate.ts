import { subscriptionDecider, subscriptionDueAt } from '@tender/billing-domain';
import { modeOf, subscriptionIds } from '@tender/contracts';
import { aggregate, due } from '@tender/eventing';
import { MODES } from '@tender/kernel';

export const subscription = aggregate({
  noun: 'subscription',
  modes: MODES,
  modeOf: (id) => modeOf(subscriptionIds, id),
  decider: subscriptionDecider,
  begins: ['CreateSubscription'],
  view: {
    name: 'billing.subscriptions@1',
    table: 'billing.subscriptions',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: {
      due_at: ['text', subscriptionDueAt],
      created_at: ['text', ({ terms }) => terms.created_at],
    },
  },
});

/** Trials, periods and attempts that end, and pauses that are over: each at its own second. */
export const advanceSubscriptions = due({
  name: 'billing.advance-subscriptions',
  of: subscription,
  at: 'due_at',
  command: (_, due_at, now) => ({ type: 'AdvanceSubscription', due_at, now }) as const,
});
