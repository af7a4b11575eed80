import { call, type Mode } from '@tender/kernel';

/** accounts: the key behind a SHA-256 (hex). Null: unknown or rotated away. */
export interface KeyHolder {
  readonly key_id: string;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly wallet: string | null;
  readonly amount_max: number;
  /** Per merchant, else the defaults (specification §1.9). */
  readonly limits: {
    readonly creation: number;
    readonly read: number;
    readonly other: number;
  } | null;
}

/** payments: what a payer must know; null when there is no such payment. */
export interface PayableSummary {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly token: 'USDC' | 'USDT' | 'SOL';
  /** Base units. */
  readonly token_amount: string;
  readonly wallet_address: string;
  readonly reference: string;
}

export const describePayment = call<{ payment_id: string }, PayableSummary | null>(
  'payments.describe-payment',
);

/** chain-indexer: waits until it has seen every block of a network up to that time. */
export const chainReached = call<{ mode: Mode; block_time_ms: number }, { reached: boolean }>(
  'chain-indexer.reached',
  { deadline_ms: 60_000, answered_by: 'leader' },
);

/** chain-indexer: whether it follows a network, and if not what stands in the way. */
export const chainHealth = call<{ mode: Mode }, { healthy: boolean; reason: string | null }>(
  'chain-indexer.health',
  { answered_by: 'leader' },
);
