import type { ReceiptAnswer, ReceiptRefundRequestedFact, ReceiptRefundSnapshot } from '@tender/contracts';
import { invariant, type Token } from '@tender/kernel';
import type { KnownReceipt, ReceiptRefund, ReceiptRefundRequested } from '@tender/payments-domain';

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
  ...(receipt.refund ? { refund: renderRefund(receipt.refund) } : {}),
  ...(receipt.shared_wallet ? { shared_wallet: true as const } : {}),
});

const renderRefund = (refund: ReceiptRefund): ReceiptRefundSnapshot => ({
  status: refund.status,
  transaction_signature: refund.status === 'processing' ? null : refund.transaction_signature,
  failure_reason: refund.status === 'failed' ? refund.failure_reason : null,
});

/** What goes back is what came, to the wallet that sent it. */
export function renderRefundRequested({
  receipt,
  refund,
}: ReceiptRefundRequested['data']): ReceiptRefundRequestedFact {
  const { receipt_id, merchant_id, amount, transaction_signature: credit } = receipt;
  const { token, from_wallet: to } = receipt;
  invariant(token !== null && to !== null, 'only known money of a known wallet goes back');
  const { attempt } = refund;
  return { receipt_id, merchant_id, attempt, token: token as Token, amount, credit, to };
}
