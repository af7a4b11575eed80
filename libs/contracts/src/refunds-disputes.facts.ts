import { disputesFacts } from './disputes.facts';
import { refundsFacts } from './refunds.facts';

export const refundsDisputesFacts = [...refundsFacts, ...disputesFacts] as const;
