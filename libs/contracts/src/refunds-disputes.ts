export const refundsDisputesRoutes = [] as const;
