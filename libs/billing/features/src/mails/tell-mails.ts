import type { InstallmentPlanEvent, InvoiceEvent, SubscriptionEvent } from '@tender/billing-domain';
import { mailDue } from '@tender/contracts';
import { tells, type Publications } from '@tender/eventing';

const ofInstallments = tells(mailDue, ({ data: { terms } }: InstallmentPlanEvent) => ({
  ...{ merchant_id: terms.merchant_id, object_id: terms.plan_id },
}));
const ofInvoice = tells(mailDue, ({ data: { terms } }: InvoiceEvent) => ({
  ...{ merchant_id: terms.merchant_id, object_id: terms.invoice_id },
}));

type ChargeOpened = Extract<SubscriptionEvent, { readonly type: 'SubscriptionChargeOpened' }>;
type InstallmentChargeOpened = Extract<
  InstallmentPlanEvent,
  { readonly type: 'InstallmentChargeOpened' }
>;
type BillingEvent = SubscriptionEvent | InstallmentPlanEvent | InvoiceEvent;
/** Billing begins the payment of what can be paid from now on. */
const ofCharge = tells(mailDue, ({ data: { terms, opened } }: ChargeOpened) => ({
  ...{ merchant_id: terms.merchant_id, object_id: terms.subscription_id },
  opened: { payment_link_id: opened.payment_link_id, installment_number: null },
}));
const ofInstallmentCharge = tells(mailDue, ({ data }: InstallmentChargeOpened) => {
  const { terms, opened, installment_number } = data;
  const { merchant_id, plan_id } = terms;
  const { payment_link_id } = opened;
  return { merchant_id, object_id: plan_id, opened: { payment_link_id, installment_number } };
});

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
  SubscriptionChargeOpened: ofCharge,
  InstallmentReminded: ofInstallments,
  InstallmentDue: ofInstallments,
  InstallmentChargeOpened: ofInstallmentCharge,
  InvoiceReminded: ofInvoice,
};
