import type {
  InstallmentPlanEvent,
  InvoiceEvent,
  PlanCreated,
  PlanEvent,
  SubscriptionEvent,
} from '@tender/billing-domain';
import {
  planCreated,
  subscriptionCancelled,
  subscriptionChargeDue,
  subscriptionChargeEnded,
  subscriptionCreated,
  subscriptionPaused,
  subscriptionPaymentFailed,
  subscriptionRenewed,
  subscriptionResumed,
} from '@tender/contracts';
import { publications, tells } from '@tender/eventing';
import { INSTALLMENT_PLAN_PUBLICATIONS } from './installment-plans/publish-installment-plans';
import { tellsOfInvoices } from './invoices/tells-of-invoices';
import { MAIL_PUBLICATIONS } from './mails/tell-mails';
import { renderPlan } from './plans/render-plan';
import { subscriptionAt } from './subscriptions/render-subscription';

/** A plan as it was created. */
const planAt = ({ data: { terms } }: PlanCreated) => ({
  plan: renderPlan({ status: 'active', terms, updated_at: terms.created_at }),
});

/** What billing says in public of its events. */
export const publishBilling = publications<
  PlanEvent | SubscriptionEvent | InstallmentPlanEvent | InvoiceEvent
>({
  ...tellsOfInvoices,
  PlanCreated: tells(planCreated, planAt),
  PlanDeactivated: 'private',
  PlanActivated: 'private',
  ...INSTALLMENT_PLAN_PUBLICATIONS,
  SubscriptionCreated: tells(subscriptionCreated, subscriptionAt),
  SubscriptionPeriodOpened: tells(subscriptionChargeDue, subscriptionAt),
  SubscriptionChargeDue: tells(subscriptionChargeDue, subscriptionAt),
  SubscriptionChargeEnded: tells(subscriptionChargeEnded, ({ data: { terms } }) => ({
    subscription_id: terms.subscription_id,
  })),
  SubscriptionPaymentFailed: tells(subscriptionPaymentFailed, subscriptionAt),
  SubscriptionRenewed: tells(subscriptionRenewed, subscriptionAt),
  SubscriptionPaused: tells(subscriptionPaused, subscriptionAt),
  SubscriptionResumed: tells(subscriptionResumed, subscriptionAt),
  SubscriptionCancelRequested: 'private',
  SubscriptionCancelled: tells(subscriptionCancelled, subscriptionAt),
  // The last period was paid and is over: its merchant heard of the payment, and no event is named for the end.
  SubscriptionExpired: 'private',
  ...MAIL_PUBLICATIONS,
});
