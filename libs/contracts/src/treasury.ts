export const treasuryRoutes = [] as const;
