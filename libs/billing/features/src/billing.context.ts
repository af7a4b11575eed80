import type { HostedContext } from '@tender/http';
import { openBilling } from './billing';
import { BillingModule } from './billing.module';
import { charges } from './charges/charges.projection';
import { CreatePlans1795389279200 } from './create-plans.migration';
import { CreateSubscriptions1795390000000 } from './create-subscriptions.migration';
import { CreateMails1795390600000 } from './mail-queue/create-mails.migration';
import { plan } from './plans/plan.aggregate';
import { publishBilling } from './publish-billing';
import { billingSettings } from './settings';
import { advanceSubscriptions, subscription } from './subscriptions/subscription.aggregate';

/** All that billing does. */
export const billingContext: HostedContext = {
  name: 'billing',
  schema: 'billing',
  migrations: [
    CreatePlans1795389279200,
    CreateSubscriptions1795390000000,
    CreateMails1795390600000,
  ],
  entities: [],
  projections: [plan.view, subscription.view, charges],
  open: openBilling,
  timers: [advanceSubscriptions],
  publishes: {
    categories: [plan, subscription].flatMap(({ categories }) => categories),
    publish: publishBilling,
  },
  module: BillingModule,
  settings: billingSettings,
};
