import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { PageAnswer } from '../serve-page/checkout-pages';

const PAUSE_MS = 8_000;

/** Something that it takes does not answer, or takes no more for now: the customer sends the form again. */
export const busy = (clock: Runtime['clock'], status: 429 | 503 = 503): PageAnswer => ({
  status,
  interruption: { state: 'busy', retry_at: clock.now() + PAUSE_MS },
});

/** Refused for what is no business of the customer: the shop finds it by this number. */
export const failed = ({ correlation_id }: RequestContext): PageAnswer => ({
  status: 422,
  fault: { correlation_id },
});
