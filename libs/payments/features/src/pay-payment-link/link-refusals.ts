import { ApiError, retryAfter, type RefusalAnswers } from '@tender/http';
import type { Refused, RefusalOf } from '@tender/kernel';
import type { HoldLinkUse, paymentLinkDecider, Unpayable } from '@tender/payments-domain';
import { AMOUNT_TOO_LARGE, NOT_NEW } from '../create-payment/create-refusals';

const SENTENCES: Readonly<Record<Unpayable, string>> = {
  payment_link_closed: 'This payment link was closed. Ask the merchant for a new one.',
  payment_link_expired: 'This payment link has expired. Ask the merchant for a new one.',
  payment_link_exhausted: 'This payment link has been used up. Ask the merchant for a new one.',
};
const HELD = 'All uses of this payment link are taken by payments that have begun. Try again later.';
const TOO_MANY =
  'From this address more payments by this link wait to be paid than it may begin. Pay one of them, or try again later.';

/** 410. Where only pending payments stand in the way, `Retry-After` says when the first of them expires. */
export function linkGone({ refusal, details }: Refused<Unpayable>, now_ms: number): ApiError {
  const free_at = details?.['free_at'];
  if (typeof free_at !== 'string') return new ApiError(410, refusal, SENTENCES[refusal]);
  return new ApiError(410, refusal, HELD, {}, retryAfter(free_at, now_ms));
}

/**
 * Throws 410 where the last use was taken, or the link ended, between a look and the hold; 429 where the address has
 * begun so many payments by the link that it may begin no other.
 */
export function refuseGone(
  handled: { readonly ok: true } | Refused<string>,
  now_ms: number,
): void {
  if (handled.ok) return;
  const { refusal, details } = handled;
  if (refusal === 'too_many_open_payments') {
    const retry = retryAfter(details?.['free_at'] as string, now_ms);
    throw new ApiError(429, refusal, TOO_MANY, { open: details?.['open'] }, retry);
  }
  if (!Object.hasOwn(SENTENCES, refusal)) return;
  throw linkGone(handled as Refused<Unpayable>, now_ms);
}

const gone = (refusal: Unpayable) => [410, refusal, SENTENCES[refusal]] as const;

export const HOLD_REFUSALS: RefusalAnswers<RefusalOf<typeof paymentLinkDecider, HoldLinkUse>> = {
  payment_link_closed: gone('payment_link_closed'),
  payment_link_expired: gone('payment_link_expired'),
  payment_link_exhausted: gone('payment_link_exhausted'),
  amount_too_large: AMOUNT_TOO_LARGE,
  payment_link_unknown: [404, 'payment_link_not_found', 'There is no such resource.'],
  too_many_open_payments: [429, 'too_many_open_payments', TOO_MANY],
  // Answered with that payment.
  payment_open: NOT_NEW,
};
