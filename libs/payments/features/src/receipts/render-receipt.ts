import type { ReceiptAnswer } from '@tender/contracts';
import type { KnownReceipt } from '@tender/payments-domain';

/** A receipt as clients see it (specification §2.7); `shared_wallet` only where it is so (§2.16). */
export const renderReceipt = (receipt: KnownReceipt): ReceiptAnswer => ({
  id: receipt.receipt_id,
  payment_id: receipt.payment_id,
  reason: receipt.reason,
  token: receipt.token,
  token_mint: receipt.token_mint,
  amount: receipt.amount,
  transaction_signature: receipt.transaction_signature,
  from_wallet: receipt.from_wallet,
  ...(receipt.wallet === undefined ? {} : { wallet: receipt.wallet }),
  block_time: receipt.block_time,
  created_at: receipt.created_at,
  resolution: receipt.resolution ?? null,
  resolution_note: receipt.resolution_note ?? null,
  resolved_at: receipt.resolved_at ?? null,
  ...(receipt.shared_wallet ? { shared_wallet: true as const } : {}),
});
