import { ownEvents, type Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { PaymentCreated, PaymentLinkEvent } from '@tender/payments-domain';
import { paymentLink } from '../payment-links/payment-link.aggregate';

/** What a use of the link is held for; null where none is. */
export async function heldPayment(
  { eventStore }: Pick<Runtime, 'eventStore'>,
  mode: Mode,
  payment_link_id: string,
  payment_id: string,
): Promise<PaymentCreated['data'] | null> {
  const events = await eventStore.load(paymentLink.stream(mode, payment_link_id));
  for (const event of ownEvents<PaymentLinkEvent>(events)) {
    if (event.type !== 'LinkUseHeld') continue;
    if (event.data.payment.terms.payment_id === payment_id) return event.data.payment;
  }
  return null;
}
