import { fraudFlagRaised, fraudPaymentBlocked, type FraudFact, type PaymentSnapshot } from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import type { FlagEvent, FlagTerms } from '@tender/fraud-domain';

function renderFact(terms: FlagTerms): FraudFact {
  const { flag_id, payment_id, merchant_id, score, action, webhook_url } = terms;
  const codes = terms.reasons.map(({ code }) => code);
  return {
    flag_id,
    fraud: {
      ...{ payment_id, merchant_id, fraud_score: score },
      ...{ blocked: action === 'block', flags: codes },
    },
    metadata: {
      ...{ fraud_score: score, fraud_flags: codes },
      fraud_review_required: action === 'review',
    },
    payment: terms.payment as PaymentSnapshot | null,
    webhook_url,
  };
}

/** What fraud says in public of its flags. That an admin has looked at one is the admin’s. */
export const publishFraud = publications<FlagEvent>({
  FlagRaised: tells(fraudFlagRaised, ({ data }) => renderFact(data)),
  PaymentBlocked: tells(fraudPaymentBlocked, ({ data }) => renderFact(data)),
  FlagResolved: 'private',
});
