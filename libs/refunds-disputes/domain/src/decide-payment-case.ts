import type { Decider } from '@tender/kernel';
import { disputeRules } from './decide-dispute';
import { refundRules } from './decide-refund';
import {
  evolvePaymentCase,
  UNKNOWN_PAYMENT_CASE,
  type PaymentCase,
  type PaymentCaseEvent,
} from './payment-case';

/** What happens to the case of a payment, by the type of the command. An arrow that is not here is refused by name. */
export const paymentCaseDecider = {
  initial: UNKNOWN_PAYMENT_CASE,
  evolve: evolvePaymentCase,
  decide: { ...refundRules, ...disputeRules },
} satisfies Decider<PaymentCase, PaymentCaseEvent>;
