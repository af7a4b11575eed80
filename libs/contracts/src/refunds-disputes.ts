import { disputesRoutes } from './disputes';
import { refundsRoutes } from './refunds';

export const refundsDisputesRoutes = [...refundsRoutes, ...disputesRoutes] as const;
