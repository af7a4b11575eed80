import { ownEvent, type Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import type { PaymentCreated, PaymentLinkEvent } from '@tender/payments-domain';
import { paymentLink } from '../payment-links/payment-link.aggregate';

/** A payment that the log promises before it is made, and what asked for it. */
export interface HeldPayment {
  readonly payment: PaymentCreated['data'];
  readonly actor: string;
}

/** What a use of the link is held for; null where none is. */
export async function heldPayment(
  { eventStore }: Pick<Runtime, 'eventStore'>,
  mode: Mode,
  payment_link_id: string,
  payment_id: string,
): Promise<HeldPayment | null> {
  const events = await eventStore.load(paymentLink.stream(mode, payment_link_id));
  for (const stored of events) {
    const event = ownEvent<PaymentLinkEvent>(stored);
    if (event.type !== 'LinkUseHeld') continue;
    const { payment } = event.data;
    if (payment.terms.payment_id === payment_id) return { payment, actor: stored.metadata.actor };
  }
  return null;
}
