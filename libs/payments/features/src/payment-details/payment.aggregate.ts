import { modeOf, paymentIds } from '@tender/contracts';
import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { paymentDecider, paymentSentences } from '@tender/payments-domain';

export const payment = aggregate({
  noun: 'payment',
  modes: MODES,
  modeOf: (id) => modeOf(paymentIds, id),
  decider: paymentDecider,
  says: paymentSentences,
  begins: ['CreatePayment'],
  view: {
    name: 'payments.payment-details@1',
    table: 'payments.payment_details',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: { created_at: ['text', ({ terms }) => terms.created_at] },
  },
});
