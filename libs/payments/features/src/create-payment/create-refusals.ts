import { ApiError, type RefusalAnswers } from '@tender/http';
import type { RefusalOf } from '@tender/kernel';
import type { CreatePayment, paymentDecider } from '@tender/payments-domain';

/** 409: until the merchant has a wallet, nothing can be paid. */
export const walletNotReady = (): ApiError =>
  new ApiError(
    409,
    'wallet_not_ready',
    'The merchant has no wallet yet. Open the passkey set-up URL of the sign-up answer first.',
  );

export const AMOUNT_TOO_LARGE = [
  422,
  'amount_too_large',
  'The amount is above the merchant’s maximum. Ask for less, or split the order.',
] as const;

/** An id derives from 128 bits of its request: no other request can have made it. */
export const NOT_NEW = [500, 'internal_error', 'Something went wrong on our side.'] as const;

export const CREATE_REFUSALS: RefusalAnswers<RefusalOf<typeof paymentDecider, CreatePayment>> = {
  amount_too_large: AMOUNT_TOO_LARGE,
  payment_exists: NOT_NEW,
};
