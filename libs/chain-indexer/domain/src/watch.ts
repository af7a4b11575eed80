import type { Token } from '@tender/kernel';

/** What a payment waits for on the chain. */
export interface Watch {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly reference: string;
  readonly wallet: string;
  /** The wallet's associated token account; the wallet itself for SOL. */
  readonly account: string;
  readonly token: Token;
  /** Null for SOL. */
  readonly mint: string | null;
  /** Base units. */
  readonly due: bigint;
  /** Business time, ms. */
  readonly expires_at_ms: number;
  /** `open` until a credit pays it or the chain was seen whole past its expiry. */
  readonly state: 'open' | 'paid' | 'closed';
}
