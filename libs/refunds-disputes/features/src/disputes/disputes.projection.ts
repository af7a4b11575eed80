import { disputeAfter, isOfDispute, type Dispute } from '@tender/refunds-disputes-domain';
import { newestRows } from '../payment-case/newest-rows';

/** One row per dispute, to list and to find them. */
export const disputes = newestRows<Dispute>({
  name: 'refunds-disputes.disputes@1',
  table: 'refunds_disputes.disputes',
  columns: ['status', 'dispute_type', 'created_at'],
  rowOf(event) {
    if (!isOfDispute(event)) return null;
    const state = disputeAfter(event);
    const { dispute_id: id, merchant_id, dispute_type, opened_at: created_at } = state.terms;
    const found_by = { status: state.status, dispute_type, created_at };
    return { id, merchant_id, state, found_by };
  },
});
