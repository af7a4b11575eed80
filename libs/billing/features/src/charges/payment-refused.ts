import { ERROR_CODES, isErrorCode } from '@tender/contracts';
import { Unavailable } from '@tender/eventing';
import { ApiError } from '@tender/http';
import type { Refused } from '@tender/kernel';

/**
 * Why payments opens no link for a charge, or begins no payment by it: its codes are those of the client as well.
 * `when_over` is for a charge that is over, and for a link that takes no payment any more: what it is for is paid by
 * now, or its time is over.
 */
export function paymentRefused(
  { refusal, details }: Refused<string>,
  when_over: readonly [status: number, code: string, message: string],
): Error {
  if (refusal === 'charge_over' || refusal.startsWith('payment_link_')) return new ApiError(...when_over);
  // No parameter is the client’s here: the time of the charge has passed under way.
  const is_answer = isErrorCode(refusal) && refusal !== 'invalid_parameter';
  if (!is_answer || ERROR_CODES[refusal][0] >= 500) {
    return new Unavailable('payments', { reason: refusal });
  }
  const [status, meaning] = ERROR_CODES[refusal];
  return new ApiError(status, refusal, meaning, details);
}
