import { MODES, type Mode } from '@tender/kernel';

/** Who speaks in public, and where: topics are `<mode>.<context>.events`. accounts has one log for both modes. */
export const SPEAKERS = [
  { name: 'accounts', modes: ['all'] },
  { name: 'payments', modes: MODES },
  { name: 'chain-indexer', modes: MODES },
] as const;

/** The payment as everybody hears of it. USD are JSON numbers, token base units text. */
export interface PaymentSnapshot {
  readonly id: string;
  readonly merchant_id: string;
  readonly amount: number;
  readonly amount_usd: number;
  readonly currency: string;
  /** USD per unit of the currency; null for USD. */
  readonly exchange_rate: number | null;
  readonly payment_token: string;
  readonly token_amount: string;
  readonly token_mint: string | null;
  readonly status: 'pending' | 'confirmed' | 'failed' | 'expired';
  readonly description: string | null;
  readonly payment_url: string;
  readonly qr_code: string;
  readonly reference: string;
  readonly wallet_address: string;
  readonly metadata: object;
  readonly mode: Mode;
  readonly created_at: string;
  readonly expires_at: string;
  readonly transaction_signature: string | null;
  readonly confirmed_at: string | null;
  readonly customer_wallet: string | null;
  readonly splits: null;
}

/** payments.payment-{created,confirmed,failed,expired}.v1 */
export interface PaymentFact {
  readonly payment: PaymentSnapshot;
  /** The payment's own webhook URL, which takes the place of the merchant's. */
  readonly webhook_url: string | null;
}

/** payments.settlement-completed.v1 */
export interface SettlementFact extends PaymentFact {
  readonly settlement: {
    readonly id: string;
    readonly payment_id: string;
    readonly merchant_id: string;
    readonly amount_usd: number;
    readonly settlement_token: string;
    /** Whole tokens, JSON number. */
    readonly settlement_amount: number;
    readonly transaction_signature: string;
    readonly merchant_wallet: string;
    readonly status: 'completed';
  };
}

export const RECEIPT_REASONS = [
  'late',
  'short',
  'surplus',
  'duplicate',
  'wrong_mint',
  'wrong_account',
  'failed_on_chain',
  'no_reference',
] as const;
export type ReceiptReason = (typeof RECEIPT_REASONS)[number];

/** payments.receipt-recorded.v1 and the answer of GET /receipts (decisions §2.7). */
export interface ReceiptSnapshot {
  readonly id: string;
  readonly payment_id: string | null;
  readonly reason: ReceiptReason;
  readonly token: string | null;
  readonly token_mint: string | null;
  /** Base units. */
  readonly amount: string;
  readonly transaction_signature: string;
  readonly from_wallet: string | null;
  readonly block_time: string;
  readonly created_at: string;
  /** Only where two merchants share the wallet (decisions §2.15). */
  readonly shared_wallet?: true;
}
export interface ReceiptFact {
  readonly receipt: ReceiptSnapshot;
  readonly merchant_id: string;
  readonly webhook_url: string | null;
}

/** accounts.merchant-registered.v1 (mode `all`) */
export interface MerchantFact {
  readonly merchant_id: string;
  /** Null until the wallet exists. */
  readonly wallet_address: string | null;
  /** As given at sign-up. */
  readonly webhook_url: string | null;
  readonly created_at: string;
}

/** chain-indexer.credit-allocated.v1: the one credit that pays this payment. Key: the watch. */
export interface CreditAllocatedFact {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly token: string;
  readonly token_mint: string | null;
  /** Net credit of the whole transaction, base units. */
  readonly amount: string;
  readonly transaction_signature: string;
  readonly from_wallet: string | null;
  readonly block_time: string;
}

/** chain-indexer.watch-closed.v1: the chain was seen whole up to `watermark`, which is past the payment's expiry. */
export interface WatchClosedFact {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly watermark: string;
}

/** chain-indexer.money-received.v1: money that pays nothing, and why. */
export interface MoneyReceivedFact {
  readonly merchant_id: string;
  readonly payment_id: string | null;
  readonly reason: ReceiptReason;
  readonly token: string | null;
  readonly token_mint: string | null;
  readonly account: string;
  readonly amount: string;
  readonly transaction_signature: string;
  readonly from_wallet: string | null;
  readonly block_time: string;
  readonly shared_wallet: boolean;
}

/** webhook-dispatcher.* facts stay private; these are all public types and their data. */
export interface PublicFacts {
  'accounts.merchant-registered.v1': MerchantFact;
  'accounts.wallet-created.v1': MerchantFact;
  'payments.payment-created.v1': PaymentFact;
  'payments.payment-confirmed.v1': PaymentFact;
  'payments.payment-failed.v1': PaymentFact;
  'payments.payment-expired.v1': PaymentFact;
  'payments.settlement-completed.v1': SettlementFact;
  'payments.receipt-recorded.v1': ReceiptFact;
  'chain-indexer.credit-allocated.v1': CreditAllocatedFact;
  'chain-indexer.watch-closed.v1': WatchClosedFact;
  'chain-indexer.money-received.v1': MoneyReceivedFact;
}
export type PublicType = keyof PublicFacts;
