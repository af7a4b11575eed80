import { modeOf, uuidIds } from '@tender/contracts';
import { aggregate } from '@tender/eventing';
import { MODES } from '@tender/kernel';
import { linkUseDecider, paymentLinkDecider } from '@tender/payments-domain';

export const paymentLink = aggregate({
  noun: 'link',
  modes: MODES,
  modeOf: (id) => modeOf(uuidIds, id),
  decider: paymentLinkDecider,
  begins: ['CreatePaymentLink'],
  view: {
    name: 'payments.payment-links@1',
    table: 'payments.payment_links',
    merchantOf: ({ terms }) => terms.merchant_id,
    columns: { created_at: ['text', ({ terms }) => terms.created_at] },
  },
});

/** By the id of the payment. */
export const linkUse = aggregate({
  noun: 'linkuse',
  modes: MODES,
  decider: linkUseDecider,
  begins: ['RecordLinkUse'],
});
