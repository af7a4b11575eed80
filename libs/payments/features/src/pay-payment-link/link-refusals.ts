import { ApiError, type RefusalAnswers } from '@tender/http';
import { timeOf, type Refused, type RefusalOf } from '@tender/kernel';
import type { HoldLinkUse, paymentLinkDecider, Unpayable } from '@tender/payments-domain';
import { AMOUNT_TOO_LARGE, NOT_NEW } from '../create-payment/create-refusals';

const SENTENCES: Readonly<Record<Unpayable, string>> = {
  payment_link_closed: 'This payment link was closed. Ask the merchant for a new one.',
  payment_link_expired: 'This payment link has expired. Ask the merchant for a new one.',
  payment_link_exhausted: 'This payment link has been used up. Ask the merchant for a new one.',
};
const HELD = 'All uses of this payment link are taken by payments that have begun. Try again later.';

/** 410. Where only pending payments stand in the way, `Retry-After` says when the first of them expires. */
export function linkGone({ refusal, details }: Refused<Unpayable>, now_ms: number): ApiError {
  const free_at = details?.['free_at'];
  if (typeof free_at !== 'string') return new ApiError(410, refusal, SENTENCES[refusal]);
  const seconds = Math.max(1, Math.ceil((timeOf(free_at) - now_ms) / 1000));
  return new ApiError(410, refusal, HELD, {}, { 'Retry-After': String(seconds) });
}

/** Throws 410 where the last use was taken, or the link ended, between a look and the hold. */
export function refuseGone(
  handled: { readonly ok: true } | Refused<string>,
  now_ms: number,
): void {
  if (handled.ok || !Object.hasOwn(SENTENCES, handled.refusal)) return;
  throw linkGone(handled as Refused<Unpayable>, now_ms);
}

const gone = (refusal: Unpayable) => [410, refusal, SENTENCES[refusal]] as const;

export const HOLD_REFUSALS: RefusalAnswers<RefusalOf<typeof paymentLinkDecider, HoldLinkUse>> = {
  payment_link_closed: gone('payment_link_closed'),
  payment_link_expired: gone('payment_link_expired'),
  payment_link_exhausted: gone('payment_link_exhausted'),
  amount_too_large: AMOUNT_TOO_LARGE,
  payment_link_unknown: [404, 'payment_link_not_found', 'There is no such resource.'],
  // Answered with that payment.
  payment_open: NOT_NEW,
};
