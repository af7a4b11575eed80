import type { HostedContext } from '@tender/http';
import { BillingModule } from './billing.module';
import { CreatePlans1795389279200 } from './create-plans.migration';
import { CreateInvoices1795391000000 } from './create-invoices.migration';
import { invoice, overdueInvoices } from './invoices/invoice.aggregate';
import { plan } from './plans/plan.aggregate';
import { publishBilling } from './publish-billing';
import { billingSettings } from './settings';

/** All that billing does. */
export const billingContext: HostedContext = {
  name: 'billing',
  schema: 'billing',
  migrations: [CreatePlans1795389279200, CreateInvoices1795391000000],
  entities: [],
  projections: [plan.view, invoice.view],
  timers: [overdueInvoices],
  publishes: { categories: [plan, invoice].flatMap(({ categories }) => categories), publish: publishBilling },
  module: BillingModule,
  settings: billingSettings,
};
