import { isOfRefund, refundAfter, type Refund } from '@tender/refunds-disputes-domain';
import { newestRows } from '../payment-case/newest-rows';

/** One row per refund, to list and to find them. Money is never decided by it. */
export const refunds = newestRows<Refund>({
  name: 'refunds-disputes.refunds@1',
  table: 'refunds_disputes.refunds',
  columns: ['status', 'created_at'],
  rowOf(event) {
    if (!isOfRefund(event)) return null;
    const state = refundAfter(event);
    const { refund_id: id, merchant_id, created_at } = state.terms;
    return { id, merchant_id, state, found_by: { status: state.status, created_at } };
  },
});
