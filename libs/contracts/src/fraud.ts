export const fraudRoutes = [] as const;
