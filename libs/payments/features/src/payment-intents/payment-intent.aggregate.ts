import { intentIds, modeOf } from '@tender/contracts';
import { aggregate, due } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { paymentIntentDecider } from '@tender/payments-domain';

export const paymentIntent = aggregate({
  noun: 'intent',
  modes: MODES,
  modeOf: (id) => modeOf(intentIds, id),
  decider: paymentIntentDecider,
  begins: ['CreatePaymentIntent'],
  view: {
    name: 'payments.payment-intents@1',
    table: 'payments.payment_intents',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: {
      status: ['text', ({ status }) => status],
      due_at: ['text', ({ status, terms }) => (status === 'requires_payment' ? terms.expires_at : null)],
      created_at: ['text', ({ terms }) => terms.created_at],
    },
  },
});

/** Only of those that were not confirmed: from then on the chain says when their payment expires. */
export const expireIntents = due({
  name: 'payments.expire-intents',
  of: paymentIntent,
  at: 'due_at',
  command: (_, due_at) => ({ type: 'ExpirePaymentIntent', due_at }) as const,
});
