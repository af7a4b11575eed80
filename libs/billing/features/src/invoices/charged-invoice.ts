import type { InvoiceEvent } from '@tender/billing-domain';
import { ownEvent } from '@tender/eventing';
import { invariant } from '@tender/kernel';
import type { Charged } from '../charges/charged';
import { invoice } from './invoice.aggregate';

/** An invoice is paid by the link that it was sent with, or was to be sent with when a process died. */
export const chargedInvoice: Charged = {
  noun: 'invoice',
  named_by: 'invoice_id',
  partOf(stored) {
    const event = ownEvent<InvoiceEvent>(stored);
    const { invoice_id: object_id } = event.data.terms;
    if (event.type === 'InvoiceLinkAsked') {
      return { payment_link_id: event.data.payment_link_id, object_id, part: 1 };
    }
    if (event.type !== 'InvoiceSent') return null;
    return { payment_link_id: event.data.link.payment_link_id, object_id, part: 1 };
  },
  async settle(runtime, { mode, object_id, paid_by, now }, origin) {
    const command = { type: 'PayInvoice', paid_by, now } as const;
    const handled = await invoice.handle(runtime, mode, object_id, command, origin);
    // A link of several uses takes money twice: it is paid once.
    const is_settled = handled.ok || handled.refusal === 'invoice_already_paid';
    invariant(is_settled, `${object_id} takes the payment ${paid_by.payment_id}`);
  },
};
