import { accountsRoutes } from './accounts';
import { paymentsRoutes } from './payments';
import { platformRoutes } from './platform';
import type { Route } from './route';
import { sandboxRoutes } from './sandbox';
import { webhookRoutes } from './webhook-dispatcher';

/** Every operation of every context: routing, limits, documents and the stranger test all start here. */
export const allRoutes: readonly Route[] = [
  ...accountsRoutes,
  ...paymentsRoutes,
  ...webhookRoutes,
  ...sandboxRoutes,
  ...platformRoutes,
];
