import type { SeenTransaction } from './transaction';

/** A transaction that a customer has handed in for a payment, known by its signature. */
export interface Submission {
  readonly signature: string;
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly customer_wallet: string | null;
  /** This service built it and the bound wallet signed it. */
  readonly is_ours: boolean;
  /** Of the payment. Business time, ms. */
  readonly expires_at_ms: number;
}

export type SubmissionFault = 'failed_on_chain' | 'without_effect';

/**
 * Why a transaction that was handed in ends its payment; null when it does not. One that a stranger made never does,
 * and from the expiry on it is the expiry that ends the payment (specification §2.7).
 */
export function faultOfSubmission(
  { is_ours, expires_at_ms }: Submission,
  { failed, block_time }: Pick<SeenTransaction, 'failed' | 'block_time'>,
  has_paid: boolean,
): SubmissionFault | null {
  if (!is_ours || has_paid || block_time * 1000 > expires_at_ms) return null;
  return failed ? 'failed_on_chain' : 'without_effect';
}
