import type { SettlementSnapshot } from '@tender/contracts';
import { fromUnits, TOKEN_DECIMALS } from '@tender/kernel';
import type { PaymentSettled } from '@tender/payments-domain';
import { usdOf } from './render-payment';

/** A settlement as clients see it. */
export function renderSettlement(data: PaymentSettled['data']): SettlementSnapshot {
  const { terms, confirmation, settlement_id } = data;
  return {
    id: settlement_id,
    payment_id: terms.payment_id,
    merchant_id: terms.merchant_id,
    amount_usd: usdOf(terms),
    settlement_token: terms.token,
    settlement_amount: fromUnits(BigInt(terms.token_amount), TOKEN_DECIMALS[terms.token]),
    transaction_signature: confirmation.transaction_signature,
    merchant_wallet: terms.wallet_address,
    status: 'completed',
  };
}
