import { accept, refuse, type Decision } from '@tender/kernel';
import type { Payment, PaymentEvent } from './payment';
import type { SealedCustomer } from './payment-terms';

export interface CollectCustomerInfo {
  readonly type: 'CollectCustomerInfo';
  readonly customer: SealedCustomer;
  /** ISO 8601, business time. */
  readonly now: string;
}

/** The first customer info stays: what a later visitor of the page writes changes nothing (specification §2.4). */
export function collectCustomerInfo(
  { customer, now }: CollectCustomerInfo,
  state: Payment,
): Decision<
  PaymentEvent,
  'payment_unknown' | 'payment_expired' | 'invalid_payment_state' | 'customer_info_set'
> {
  if (state.status === 'unknown') return refuse('payment_unknown');
  const { status, terms } = state;
  if (status === 'expired') return refuse('payment_expired');
  if (status !== 'pending') return refuse('invalid_payment_state', { status });
  // The chain may not have been seen up to that time yet; for the customer it is over.
  if (now >= terms.expires_at) return refuse('payment_expired');
  if (state.customer?.info_sealed !== undefined) return refuse('customer_info_set');
  return accept<PaymentEvent>({ type: 'CustomerInfoCollected', data: { terms, customer } });
}
