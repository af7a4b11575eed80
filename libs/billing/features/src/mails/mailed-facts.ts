import {
  invoiceSent,
  mailDue,
  subscriptionCancelled,
  subscriptionPaymentFailed,
} from '@tender/contracts';

/** The facts whose events make a mail: see `letter-of.ts`. */
export const MAILED_FACTS = [
  ...[mailDue, invoiceSent],
  ...[subscriptionCancelled, subscriptionPaymentFailed],
] as const;
