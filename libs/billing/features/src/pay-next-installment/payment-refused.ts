import { ERROR_CODES, isErrorCode } from '@tender/contracts';
import { ApiError } from '@tender/http';
import type { Refused } from '@tender/kernel';

/** Payments does not take what is charged. */
export const chargeRefused = ({ wallet }: { readonly wallet: string | null }): ApiError =>
  wallet === null
    ? new ApiError(409, 'wallet_not_ready', 'There is no wallet to be paid to yet. Set one up first.')
    : new ApiError(
        409,
        'invalid_payment_state',
        'This installment cannot be paid as it is now. Read the plan again.',
      );

/** Payments does not begin a payment by the link of a charge: the merchant sees why by its codes. */
export function paymentRefused({ refusal, details }: Refused<string>): ApiError {
  // Its payment is confirmed, or its time is over, and the plan hears of it in a moment.
  if (!isErrorCode(refusal) || refusal.startsWith('payment_link_')) return chargeRefused({ wallet: '' });
  const [status, meaning] = ERROR_CODES[refusal];
  return new ApiError(status, refusal, meaning, details);
}
