import type { RefusalAnswers } from '@tender/http';

/** Why a subscription does not take a step, and what to do then. */
export const STEP_REFUSALS: RefusalAnswers<
  | 'subscription_unknown'
  | 'subscription_already_cancelled'
  | 'invalid_subscription_state'
> = {
  subscription_unknown: [404, 'subscription_not_found', 'There is no such resource.'],
  subscription_already_cancelled: [
    409,
    'subscription_already_cancelled',
    'The subscription has been cancelled. Subscribe again to go on.',
  ],
  invalid_subscription_state: [
    409,
    'invalid_subscription_state',
    'The subscription’s status does not allow this. Look at its status.',
  ],
};
