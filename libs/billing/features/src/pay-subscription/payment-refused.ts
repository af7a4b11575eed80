import { ERROR_CODES, isErrorCode } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { ApiError } from '@tender/http';
import type { Refused } from '@tender/kernel';

/** Payments refuses a payment by the codes of its own routes, which are those of the client as well. */
export function paymentRefused({ refusal, details }: Refused<string>): Error {
  if (refusal.startsWith('payment_link_')) {
    // The period was paid, or its attempt is over, since this request looked at it.
    return new ApiError(409, 'payment_not_due', 'Nothing is to be paid now. Look at the subscription again.');
  }
  if (!isErrorCode(refusal) || ERROR_CODES[refusal][0] >= 500) {
    return new Unavailable('payments', { reason: refusal });
  }
  const [status, meaning] = ERROR_CODES[refusal];
  return new ApiError(status, refusal, meaning, details);
}
