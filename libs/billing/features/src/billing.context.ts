import type { HostedContext } from '@tender/http';
import { BillingModule } from './billing.module';
import { openBilling } from './billing';
import { charges } from './charges/charges.projection';
import { CreateInstallmentPlans1795391000000 } from './create-installment-plans.migration';
import { CreateInvoices1795392000000 } from './create-invoices.migration';
import { CreatePlans1795389279200 } from './create-plans.migration';
import { CreateSubscriptions1795390000000 } from './create-subscriptions.migration';
import {
  advanceInstallmentPlans,
  installmentPlan,
} from './installment-plans/installment-plan.aggregate';
import { invoice, overdueInvoices } from './invoices/invoice.aggregate';
import { installmentInvariants } from './invariants/installment-invariants';
import { invoiceInvariants } from './invariants/invoice-invariants';
import { subscriptionInvariants } from './invariants/subscription-invariants';
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
    CreateInstallmentPlans1795391000000,
    CreateInvoices1795392000000,
  ],
  projections: [plan.view, subscription.view, installmentPlan.view, invoice.view, charges],
  open: openBilling,
  timers: [advanceSubscriptions, advanceInstallmentPlans, overdueInvoices],
  invariants: [...subscriptionInvariants, ...installmentInvariants, ...invoiceInvariants],
  publishes: {
    categories: [plan, subscription, installmentPlan, invoice].flatMap(
      ({ categories }) => categories,
    ),
    publish: publishBilling,
  },
  module: BillingModule,
  settings: billingSettings,
};
