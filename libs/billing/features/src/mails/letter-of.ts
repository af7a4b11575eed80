import type { InstallmentPlanEvent, InvoiceEvent, SubscriptionEvent } from '@tender/billing-domain';
import { ownEvents, type StoredEvent } from '@tender/eventing';
import { installmentLetter } from './installment-letters';
import { invoiceLetter } from './invoice-letters';
import type { Letter } from './letter';
import { subscriptionLetter } from './subscription-letters';

type History = readonly StoredEvent[];

const ofInvoice = (history: History): Letter | null => {
  const event = ownEvents<InvoiceEvent>(history).at(-1);
  return event ? invoiceLetter(event) : null;
};
const ofInstallments = (history: History): Letter | null =>
  installmentLetter(ownEvents<InstallmentPlanEvent>(history));
const ofSubscription = (history: History): Letter | null =>
  subscriptionLetter(ownEvents<SubscriptionEvent>(history));

/** Which events make which mails. Every other one makes none. */
const LETTERS: Readonly<Record<string, (history: History) => Letter | null>> = {
  InvoiceSent: ofInvoice,
  InvoiceReminded: ofInvoice,
  InstallmentReminded: ofInstallments,
  InstallmentDue: ofInstallments,
  InstallmentChargeOpened: ofInstallments,
  SubscriptionChargeOpened: ofSubscription,
  SubscriptionPaymentFailed: ofSubscription,
  SubscriptionCancelled: ofSubscription,
};

export const MAILED_EVENTS: readonly string[] = Object.keys(LETTERS);

/** The letter of the last of these events, as its object was then; null where no customer is to be written to. */
export function letterOf(history: History): Letter | null {
  const type = history.at(-1)?.type ?? '';
  return Object.hasOwn(LETTERS, type) ? (LETTERS[type]?.(history) ?? null) : null;
}
