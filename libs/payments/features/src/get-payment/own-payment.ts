import type { RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { notFound } from '@tender/http';
import type { KnownPayment } from '@tender/payments-domain';
import { readPayment } from '../payment-details/payment-details.projection';

/** The caller’s payment; absent, foreign and of the other mode are one and the same 404. */
export async function ownPayment(
  runtime: Runtime,
  { merchant_id, mode, min_position }: RequestContext,
  payment_id: string,
): Promise<KnownPayment> {
  const payment = await readPayment(runtime, mode, payment_id, min_position);
  if (payment?.terms.merchant_id !== merchant_id) throw notFound();
  return payment;
}
