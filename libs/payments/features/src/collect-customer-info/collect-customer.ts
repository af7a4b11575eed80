import type { Customer, RequestContext } from '@tender/contracts';
import type { Position, Runtime } from '@tender/eventing';
import { notFound, refusalAnswer, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { CollectCustomerInfo, paymentDecider } from '@tender/payments-domain';
import { sealCustomer } from '../customers/customers';
import { payment } from '../payment-details/payment.aggregate';

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentDecider, CollectCustomerInfo>> = {
  payment_unknown: [404, 'not_found', 'There is no such resource.'],
  payment_expired: [410, 'payment_expired', 'The payment has expired. Begin a new one.'],
  invalid_payment_state: [409, 'invalid_payment_state', 'The payment has ended.'],
  customer_info_set: [
    409,
    'customer_info_set',
    'The payment knows its customer already. Go on without sending it again.',
  ],
};

/** Keeps who pays; the first one that is told stays. Throws what refuses it, as clients see it. */
export async function collectCustomer(
  runtime: Runtime,
  caller: RequestContext,
  id: string,
  told: Customer,
): Promise<{ readonly position: Position | null; readonly repeated: boolean }> {
  const known = await payment.load(runtime, caller.mode, id);
  if (!known) throw notFound();
  const { merchant_id, mode } = known.terms;
  const customer = await sealCustomer(runtime, { merchant_id, mode }, told);
  const { handled } = await payment.request(runtime, caller, () => {
    const now = isoTime(runtime.clock.now());
    const command = { type: 'CollectCustomerInfo', customer, now } as const;
    return { id, command, merchant_id, subject_ids: [customer.subject_id] };
  });
  if (!handled.ok) throw refusalAnswer(handled, REFUSALS);
  return handled;
}
