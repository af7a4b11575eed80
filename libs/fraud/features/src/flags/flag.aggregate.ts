import { flagIds, modeOf } from '@tender/contracts';
import { aggregate } from '@tender/eventing';
import { flagDecider } from '@tender/fraud-domain';
import { MODES } from '@tender/kernel';

export const flag = aggregate({
  noun: 'flag',
  modes: MODES,
  modeOf: (id) => modeOf(flagIds, id),
  decider: flagDecider,
  begins: ['RaiseFlag'],
  view: {
    name: 'fraud.flags@1',
    table: 'fraud.flags',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: {
      payment_id: ['text', ({ terms }) => terms.payment_id],
      action: ['text', ({ terms }) => terms.action],
      severity: ['text', ({ terms }) => terms.severity],
      resolved: ['text', ({ status }) => String(status === 'resolved')],
      resolution_type: ['text', ({ resolution }) => resolution?.resolution_type ?? null],
      amount_usd_cents: ['bigint', ({ terms }) => terms.amount_usd_cents],
      created_at: ['text', ({ terms }) => terms.created_at],
    },
  },
});
