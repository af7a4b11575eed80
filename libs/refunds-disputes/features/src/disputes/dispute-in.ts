import { invariant } from '@tender/kernel';
import type { Dispute, KnownPaymentCase } from '@tender/refunds-disputes-domain';

/** The dispute that a command to its case was about. */
export function disputeIn({ disputes }: KnownPaymentCase, dispute_id: string): Dispute {
  const dispute = disputes.find(({ terms }) => terms.dispute_id === dispute_id);
  invariant(dispute, 'a case holds the dispute that it has just changed');
  return dispute;
}
