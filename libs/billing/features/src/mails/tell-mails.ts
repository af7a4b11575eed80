import type { InstallmentPlanEvent, InvoiceEvent, SubscriptionEvent } from '@tender/billing-domain';
import { mailDue } from '@tender/contracts';
import { tells, type Publications } from '@tender/eventing';

const ofSubscription = tells(mailDue, ({ data: { terms } }: SubscriptionEvent) => ({
  ...{ merchant_id: terms.merchant_id, object_id: terms.subscription_id },
}));
const ofInstallments = tells(mailDue, ({ data: { terms } }: InstallmentPlanEvent) => ({
  ...{ merchant_id: terms.merchant_id, object_id: terms.plan_id },
}));
const ofInvoice = tells(mailDue, ({ data: { terms } }: InvoiceEvent) => ({
  ...{ merchant_id: terms.merchant_id, object_id: terms.invoice_id },
}));

type BillingEvent = SubscriptionEvent | InstallmentPlanEvent | InvoiceEvent;
type MailAlone = Extract<
  BillingEvent,
  {
    readonly type:
      | 'SubscriptionChargeOpened'
      | 'InstallmentReminded'
      | 'InstallmentDue'
      | 'InstallmentChargeOpened'
      | 'InvoiceReminded';
  }
>;

/** Events of which a customer is written to, and merchants do not hear. */
export const MAIL_PUBLICATIONS: Publications<MailAlone> = {
  SubscriptionChargeOpened: ofSubscription,
  InstallmentReminded: ofInstallments,
  InstallmentDue: ofInstallments,
  InstallmentChargeOpened: ofInstallments,
  InvoiceReminded: ofInvoice,
};
