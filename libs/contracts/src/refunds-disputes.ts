import { refundsRoutes } from './refunds';

export const refundsDisputesRoutes = [...refundsRoutes] as const;
