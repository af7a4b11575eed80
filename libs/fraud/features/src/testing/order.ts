import { randomBytes } from 'node:crypto';
import { newId, paymentIds, type PaymentSnapshot, type ScreeningRequest } from '@tender/contracts';

type Changes = Partial<Omit<ScreeningRequest, 'payment'>> & { readonly merchant_id?: string };

/** What payments asks about an order of 100 USD; nothing of it stands out. */
export function newOrder({ merchant_id = 'm1', ...changes }: Changes = {}): ScreeningRequest {
  return {
    stage: 'create',
    payment: paymentOf(newId(paymentIds, 'test', randomBytes(16)), merchant_id),
    webhook_url: null,
    amount_usd_cents: '10000',
    customer_wallet: null,
    customer_email: null,
    customer_subject: null,
    asked_by: 'merchant',
    client_address: null,
    ...changes,
  };
}

const AT = '2026-01-01T00:00:00.000Z';

const paymentOf = (id: string, merchant_id: string): PaymentSnapshot => ({
  ...{ id, merchant_id, amount: 100, amount_usd: 100, currency: 'USD', exchange_rate: null },
  ...{
    payment_token: 'USDC',
    token_amount: '100000000',
    token_mint: 'MintUsdc',
    status: 'pending',
  },
  ...{
    description: null,
    payment_url: 'http://pay.test/p/1',
    qr_code: 'solana:x',
    reference: 'R1',
  },
  ...{
    wallet_address: 'MerchantWallet',
    metadata: {},
    mode: 'test',
    created_at: AT,
    expires_at: AT,
  },
  ...{ transaction_signature: null, confirmed_at: null, customer_wallet: null, splits: null },
});
