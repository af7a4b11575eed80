import type { HostedContext } from '@tender/http';
import { BillingModule } from './billing.module';
import { charges } from './charges/charges.projection';
import { CreatePlans1795389279200 } from './create-plans.migration';
import { CreateSubscriptions1795390000000 } from './create-subscriptions.migration';
import { plan } from './plans/plan.aggregate';
import { publishBilling } from './publish-billing';
import { billingSettings } from './settings';
import { advanceSubscriptions, subscription } from './subscriptions/subscription.aggregate';

/** All that billing does. */
export const billingContext: HostedContext = {
  name: 'billing',
  schema: 'billing',
  migrations: [CreatePlans1795389279200, CreateSubscriptions1795390000000],
  entities: [],
  projections: [plan.view, subscription.view, charges],
  timers: [advanceSubscriptions],
  publishes: {
    categories: [plan, subscription].flatMap(({ categories }) => categories),
    publish: publishBilling,
  },
  module: BillingModule,
  settings: billingSettings,
};
