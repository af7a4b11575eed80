import type { HostedContext } from '@tender/http';
import { openBilling } from './billing';
import { BillingModule } from './billing.module';
import { CreatePlans1795389279200 } from './create-plans.migration';
import { CreateMails1795390600000 } from './mail-queue/create-mails.migration';
import { plan } from './plans/plan.aggregate';
import { publishBilling } from './publish-billing';
import { billingSettings } from './settings';

/** All that billing does. */
export const billingContext: HostedContext = {
  name: 'billing',
  schema: 'billing',
  migrations: [CreatePlans1795389279200, CreateMails1795390600000],
  entities: [],
  projections: [plan.view],
  open: openBilling,
  publishes: { categories: [...plan.categories], publish: publishBilling },
  module: BillingModule,
  settings: billingSettings,
};
