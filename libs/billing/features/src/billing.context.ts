import type { HostedContext } from '@tender/http';
import { BillingModule } from './billing.module';
import { CreatePlans1795389279200 } from './create-plans.migration';
import { plan } from './plans/plan.aggregate';
import { publishBilling } from './publish-billing';
import { billingSettings } from './settings';

/** All that billing does. */
export const billingContext: HostedContext = {
  name: 'billing',
  schema: 'billing',
  migrations: [CreatePlans1795389279200],
  entities: [],
  projections: [plan.view],
  publishes: { categories: [...plan.categories], publish: publishBilling },
  module: BillingModule,
  settings: billingSettings,
};
