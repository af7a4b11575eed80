import type { Runtime } from '@tender/eventing';
import { invariant, type Mode } from '@tender/kernel';
import type { KnownPayment } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import type { HeldPayment } from './held-payment';

const MAKER = 'payments.make-held-payment';

/**
 * Makes the payment that a use of a link is held for, or for which an intent is confirmed, once: the request that has
 * written that does, or the reactor that follows it, which may be faster. Both do in the name of what asked for it.
 * Answers it as it was when it was made.
 */
export async function makeHeldPayment(
  runtime: Pick<Runtime, 'eventStore' | 'clock' | 'random'>,
  mode: Mode,
  { payment: held, actor }: HeldPayment,
  correlation_id: string,
): Promise<KnownPayment> {
  const { payment_id, merchant_id, amount_usd_cents } = held.terms;
  // What the merchant may ask for was looked at before the use was taken.
  const amount_max = BigInt(amount_usd_cents);
  const command = { type: 'CreatePayment', payment: held, amount_max } as const;
  const handled = await payment.handle(runtime, mode, payment_id, command, {
    command_id: `${MAKER}:${payment_id}`,
    body_hash: null,
    merchant_id,
    actor,
    correlation_id,
    causation_id: null,
    subject_ids: held.customer ? [held.customer.subject_id] : [],
  });
  invariant(handled.ok, `the payment ${payment_id}, which the log promises, is made once`);
  return handled.state;
}
