import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { ApiError, type FieldFault } from '@tender/http';
import type { PageAnswer } from '../serve-page/checkout-pages';

const PAUSE_SECONDS = 8;

/** Something that it takes does not answer: the customer sends the form again. */
export const busy = (clock: Runtime['clock']): PageAnswer => ({
  status: 503,
  interruption: { state: 'busy', retry_at: inSeconds(clock, PAUSE_SECONDS) },
});

/** From the customer's address as many payments by the link wait as may: it comes again when the first has ended. */
export const linkFull = (clock: Runtime['clock'], retry_after: unknown): PageAnswer => ({
  status: 429,
  interruption: { state: 'link full', retry_at: inSeconds(clock, Number(retry_after)) },
});

const inSeconds = (clock: Runtime['clock'], seconds: number): number => clock.now() + seconds * 1000;

/** Screening has stopped it: the shop finds it by the id that the payment would have had. */
export const blocked = (payment_id: unknown): PageAnswer => ({
  ...{ status: 402, blocked: true },
  blocked_payment_id: typeof payment_id === 'string' ? payment_id : null,
});

/** Refused for what is no business of the customer: the shop finds it by this number. */
export const failed = ({ correlation_id }: RequestContext): PageAnswer => ({
  status: 422,
  fault: { correlation_id },
});

/** What the API answers 400: its page marks these fields. Throws what is another error. */
export function malformed(error: unknown): PageAnswer {
  if (!(error instanceof ApiError) || error.status !== 400) throw error;
  const fields = error.details['fields'] as readonly FieldFault[];
  return { status: 400, malformed: fields.map(({ field }) => field) };
}
