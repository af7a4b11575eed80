import { planDecider } from '@tender/billing-domain';
import { modeOf, planIds } from '@tender/contracts';
import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';

export const plan = aggregate({
  noun: 'plan',
  modes: MODES,
  modeOf: (id) => modeOf(planIds, id),
  decider: planDecider,
  begins: ['CreatePlan'],
  view: {
    name: 'billing.plans@1',
    table: 'billing.plans',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: { created_at: ['text', ({ terms }) => terms.created_at] },
  },
});
