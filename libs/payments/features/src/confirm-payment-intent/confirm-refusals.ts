import { ApiError, retryAfter, type RefusalAnswers } from '@tender/http';
import type { Refused } from '@tender/kernel';
import type { Unconfirmable } from '@tender/payments-domain';
import { STEP_REFUSALS } from '../payment-intents/intent-refusals';

const LOCKED =
  'Too many wrong client secrets were sent for this payment intent. Wait, then send the right one.';

export const CONFIRM_REFUSALS: RefusalAnswers<Unconfirmable> = {
  ...STEP_REFUSALS,
  confirm_locked: [429, 'rate_limit_exceeded', LOCKED],
};

/** Throws 429 where wrong secrets have locked the confirm; `Retry-After` says for how long. */
export function refuseLocked(
  handled: { readonly ok: true } | Refused<string>,
  now_ms: number,
): void {
  const locked_until = handled.ok ? undefined : handled.details?.['locked_until'];
  if (typeof locked_until !== 'string') return;
  throw new ApiError(429, 'rate_limit_exceeded', LOCKED, {}, retryAfter(locked_until, now_ms));
}

/** 403, and it has been counted. */
export const wrongClientSecret = (): ApiError =>
  new ApiError(
    403,
    'forbidden',
    'The client_secret is not that of this payment intent. Send the one that its creation answered.',
  );
