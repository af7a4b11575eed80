export const refundsDisputesFacts = [] as const;
