import { intentIds, modeOf } from '@tender/contracts';
import { aggregate, due } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { isHeld, paymentIntentDecider, type KnownPaymentIntent } from '@tender/payments-domain';

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
      due_at: ['text', dueAt],
      created_at: ['text', ({ terms }) => terms.created_at],
    },
  },
});

/** When it ends by itself; null where it does not. */
function dueAt(intent: KnownPaymentIntent): string | null {
  if (isHeld(intent)) return intent.hold.until;
  return intent.status === 'requires_payment' ? intent.terms.expires_at : null;
}

/**
 * Those that were not confirmed expire, and those whose money is held are canceled. In between the chain says when
 * their payment expires.
 */
export const expireIntents = due({
  name: 'payments.expire-intents',
  of: paymentIntent,
  at: 'due_at',
  command: (intent, due_at) =>
    isHeld(intent)
      ? ({ type: 'EndIntentHold', due_at } as const)
      : ({ type: 'ExpirePaymentIntent', due_at } as const),
});
