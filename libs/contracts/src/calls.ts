import type { Mode } from '@tender/kernel';

/** accounts: the key behind a SHA-256 (hex). Null: unknown or rotated away. */
export interface KeyHolder {
  readonly key_id: string;
  readonly mode: Mode;
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly wallet: string | null;
  readonly amount_max: number;
  /** Per merchant, else the defaults (decisions §1.9). */
  readonly limits: { readonly creation: number; readonly read: number; readonly other: number } | null;
}

/** payments: what somebody who pays must know; null when there is no such payment. */
export interface PayableSummary {
  readonly payment_id: string;
  readonly mode: Mode;
  readonly token: 'USDC' | 'USDT' | 'SOL';
  /** Base units. */
  readonly token_amount: string;
  readonly wallet_address: string;
  readonly reference: string;
}
