import { refundsFacts } from './refunds.facts';

export const refundsDisputesFacts = [...refundsFacts] as const;
