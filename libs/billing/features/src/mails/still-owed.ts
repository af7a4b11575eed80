import {
  chargeToPay,
  evolveInstallmentPlan,
  evolveInvoice,
  evolveSubscription,
  UNKNOWN_INSTALLMENT_PLAN,
  UNKNOWN_INVOICE,
  UNKNOWN_SUBSCRIPTION,
  type InstallmentPlan,
  type InstallmentPlanEvent,
  type Invoice,
  type InvoiceEvent,
  type Subscription,
  type SubscriptionEvent,
} from '@tender/billing-domain';
import { ownEvents, type StoredEvent } from '@tender/eventing';

/** By the whole history, whether what the mail of its event at `index` asks for is to be paid by now. */
type StillOwed = (history: readonly StoredEvent[], index: number) => boolean;

const invoiceOwed: StillOwed = (history) => {
  const events = ownEvents<InvoiceEvent>(history);
  const { status } = events.reduce<Invoice>(evolveInvoice, UNKNOWN_INVOICE);
  return status === 'sent' || status === 'overdue';
};

/** By the link of the mail, too: the one of before it was late is closed, and another mail has the new one. */
const installmentOwed: StillOwed = (history, index) => {
  const events = ownEvents<InstallmentPlanEvent>(history);
  const told = events[index];
  if (!told || !('installment_number' in told.data)) return false;
  const number = told.data.installment_number;
  const at = (until: number) => {
    const plan = events
      .slice(0, until)
      .reduce<InstallmentPlan>(evolveInstallmentPlan, UNKNOWN_INSTALLMENT_PLAN);
    return plan.status === 'active' ? plan.installments[number - 1] : undefined;
  };
  const now = at(events.length);
  if (!now || now.paid_by !== null) return false;
  const link = at(index + 1)?.opened?.payment_link_id;
  return link === undefined || link === now.opened?.payment_link_id;
};

/** A mail asks for a charge until the next one, and says that one has failed while its period is unpaid. */
const subscriptionOwed: StillOwed = (history, index) => {
  const events = ownEvents<SubscriptionEvent>(history);
  const told = events[index];
  const now = events.reduce<Subscription>(evolveSubscription, UNKNOWN_SUBSCRIPTION);
  if (!told || now.status === 'unknown' || !chargeToPay(now).ok) return false;
  return told.type === 'SubscriptionChargeOpened'
    ? told.data.charge_number === now.charge?.charge_number
    : 'period_number' in told.data && told.data.period_number === now.period_number;
};

/** The events whose mails ask for money. The others tell of a state, whatever came after it. */
const ASKING: Readonly<Record<string, StillOwed>> = {
  InvoiceSent: invoiceOwed,
  InvoiceReminded: invoiceOwed,
  InstallmentReminded: installmentOwed,
  InstallmentDue: installmentOwed,
  InstallmentChargeOpened: installmentOwed,
  SubscriptionChargeOpened: subscriptionOwed,
  SubscriptionPaymentFailed: subscriptionOwed,
};

/** Whether that mail may still be sent: it may have waited for days for the server of mail. */
export function isStillOwed(history: readonly StoredEvent[], index: number): boolean {
  const type = history[index]?.type ?? '';
  return !Object.hasOwn(ASKING, type) || ASKING[type]?.(history, index) === true;
}
