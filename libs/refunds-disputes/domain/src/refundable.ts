import type { Refund } from './refund';

/** Of a payment, or of what is left of it. */
export interface Refundable {
  readonly usd_cents: bigint;
  /** Base units. */
  readonly token_amount: bigint;
}

interface Paid {
  readonly amount_usd_cents: string;
  readonly token_amount: string;
}

/** What can still go back: a refund that has failed has freed its part (M1). */
export function leftOf(payment: Paid, refunds: readonly Refund[]): Refundable {
  let usd_cents = BigInt(payment.amount_usd_cents);
  let token_amount = BigInt(payment.token_amount);
  for (const { status, terms } of refunds) {
    if (status === 'failed') continue;
    usd_cents -= BigInt(terms.amount_usd_cents);
    token_amount -= BigInt(terms.token_amount);
  }
  return { usd_cents, token_amount };
}

/** At the rate of the payment, rounded down to base units; the last one takes all that is left (specification §2.9). */
export const tokenAmountOf = (payment: Paid, usd_cents: bigint, left: Refundable): bigint =>
  usd_cents === left.usd_cents
    ? left.token_amount
    : (BigInt(payment.token_amount) * usd_cents) / BigInt(payment.amount_usd_cents);
