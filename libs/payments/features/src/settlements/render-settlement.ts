import type { SettlementAnswer, SettlementSnapshot } from '@tender/contracts';
import { fromUnits, TOKEN_DECIMALS } from '@tender/kernel';
import {
  settlementAfter,
  type PaymentTerms,
  type Settlement,
  type SettlementEvent,
} from '@tender/payments-domain';
import { usdOf } from '../payment-details/render-payment';

/** A settlement as clients see it, from a row or a stream alike. */
export function renderSettlement(
  { settlement_id, status, transaction_signature, failure_reason }: Settlement,
  terms: PaymentTerms,
): Required<SettlementSnapshot> {
  return {
    id: settlement_id,
    payment_id: terms.payment_id,
    merchant_id: terms.merchant_id,
    amount_usd: usdOf(terms),
    settlement_token: terms.token,
    settlement_amount: fromUnits(BigInt(terms.token_amount), TOKEN_DECIMALS[terms.token]),
    transaction_signature,
    merchant_wallet: terms.hold?.settlement_wallet ?? terms.wallet_address,
    status,
    failure_reason,
  };
}

/** The settlement right after the event. */
export const renderSettlementAt = (event: SettlementEvent): Required<SettlementSnapshot> =>
  renderSettlement(settlementAfter(event), event.data.terms);

/** The state of a row: the settlement, what it is of, and when. */
export interface SettlementRow {
  readonly settlement: Settlement;
  readonly terms: PaymentTerms;
  readonly created_at: string;
  readonly completed_at: string | null;
}

export const answerSettlement = (row: SettlementRow): SettlementAnswer => ({
  ...renderSettlement(row.settlement, row.terms),
  created_at: row.created_at,
  completed_at: row.completed_at,
});
