import type { PaymentSnapshot } from '@tender/contracts';
import { isoTime, type Mode } from '@tender/kernel';
import { MINTS } from './scripted-chain';

export interface PaymentScript {
  readonly id: string;
  readonly due?: bigint;
  readonly merchant_id?: string;
  readonly wallet?: string;
  readonly token?: 'USDC' | 'USDT' | 'SOL';
  readonly mode?: Mode;
  /** Unix seconds. */
  readonly expires_at: number;
}

/** The payment of the script, as payments publishes it. */
export function snapshotOf(script: PaymentScript): PaymentSnapshot {
  const { id, due = 100n, merchant_id = 'm1', wallet = 'alice', token = 'USDC', mode = 'test' } = script;
  return {
    id,
    merchant_id,
    amount: 1,
    amount_usd: 1,
    currency: 'USD',
    exchange_rate: null,
    payment_token: token,
    token_amount: due.toString(),
    token_mint: token === 'SOL' ? null : MINTS[token],
    status: 'pending',
    description: null,
    payment_url: '',
    qr_code: '',
    reference: `ref-${id}`,
    wallet_address: wallet,
    metadata: {},
    mode,
    created_at: isoTime(0),
    expires_at: isoTime(script.expires_at * 1000),
    transaction_signature: null,
    confirmed_at: null,
    customer_wallet: null,
    splits: null,
  };
}
