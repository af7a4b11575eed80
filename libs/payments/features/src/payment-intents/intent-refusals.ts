import type { RefusalAnswers } from '@tender/http';
import type { WrongStep } from '@tender/payments-domain';

/** Why an intent does not take a step, and what to do then. */
export const STEP_REFUSALS: RefusalAnswers<WrongStep> = {
  payment_intent_unknown: [404, 'not_found', 'There is no such resource.'],
  invalid_intent_state: [
    409,
    'invalid_intent_state',
    'Only an intent that requires_payment can be confirmed; one that does, or whose money is held, can be canceled. Look at its status; where it has ended, create another.',
  ],
};

export const CAPTURE_REFUSALS: RefusalAnswers<WrongStep> = {
  ...STEP_REFUSALS,
  invalid_intent_state: [
    409,
    'invalid_intent_state',
    'Only an intent whose money is held can be captured, once. Look at its status and its capture_before.',
  ],
};
