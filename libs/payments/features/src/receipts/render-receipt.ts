import type { ReceiptSnapshot } from '@tender/contracts';
import type { ReceiptRecorded } from '@tender/payments-domain';

/** A receipt as clients see it (specification §2.7); `shared_wallet` only where it is so (§2.16). */
export const renderReceipt = (receipt: ReceiptRecorded['data']): ReceiptSnapshot => ({
  id: receipt.receipt_id,
  payment_id: receipt.payment_id,
  reason: receipt.reason,
  token: receipt.token,
  token_mint: receipt.token_mint,
  amount: receipt.amount,
  transaction_signature: receipt.transaction_signature,
  from_wallet: receipt.from_wallet,
  block_time: receipt.block_time,
  created_at: receipt.created_at,
  ...(receipt.shared_wallet ? { shared_wallet: true as const } : {}),
});
