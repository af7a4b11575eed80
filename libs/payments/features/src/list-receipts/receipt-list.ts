import { listing } from '@tender/http';
import type { KnownReceipt } from '@tender/payments-domain';
import { receipt } from '../receipts/receipt.aggregate';
import { renderReceipt } from '../receipts/render-receipt';

/** A merchant’s receipts, newest first (specification §1.7). */
export const receiptList = listing({
  view: receipt.view,
  filters: { payment_id: 'payment_id', reason: 'reason', resolved: 'resolved' },
  show: ({ state }: { readonly state: KnownReceipt }) => renderReceipt(state),
});
