import { chargedInstallment } from '../installment-plans/charged-installment';
import { chargedInvoice } from '../invoices/charged-invoice';
import { chargedSubscription } from '../subscriptions/charged-subscription';
import type { Charged } from './charged';

/** All that is paid by links. A new kind is a line here: the rest follows. */
export const CHARGED: readonly Charged[] = [
  ...[chargedSubscription, chargedInstallment],
  chargedInvoice,
];
