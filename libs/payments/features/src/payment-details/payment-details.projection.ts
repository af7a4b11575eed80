import { modeOf, paymentIds } from '@tender/contracts';
import {
  foldedView,
  ownEvent,
  projectionFollower,
  readFolded,
  type Position,
  type Runtime,
} from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import {
  evolvePayment,
  UNKNOWN_PAYMENT,
  type KnownPayment,
  type Payment,
  type PaymentEvent,
} from '@tender/payments-domain';
import { paymentStream } from '../payment-stream';

const NAME = 'payments.payment-details@1';
const folding = {
  table: 'payments.payment_details',
  initial: UNKNOWN_PAYMENT,
  evolve: evolvePayment,
};

export const paymentDetailsFollower = (mode: Mode): string => projectionFollower(NAME, mode);

export const paymentDetails = foldedView<Payment, PaymentEvent>({
  ...folding,
  name: NAME,
  noun: 'payment',
  modes: ['test', 'live'],
  columns: { merchant_id: 'text', mode: 'text', created_at: 'text' },
  rowOf(_, event) {
    const { merchant_id, mode, created_at } = ownEvent<PaymentEvent>(event).data.terms;
    return { merchant_id, mode, created_at };
  },
});

/** Null when there is no such payment, or it is not of that mode. */
export async function readPayment(
  runtime: Pick<Runtime, 'eventStore' | 'readModels'>,
  mode: Mode,
  payment_id: string,
  min_position: Position | null,
): Promise<KnownPayment | null> {
  if (modeOf(paymentIds, payment_id) !== mode) return null;
  const stream = paymentStream(mode, payment_id);
  const payment = await readFolded<Payment, PaymentEvent>(runtime, folding, stream, min_position);
  return payment.status === 'unknown' ? null : payment;
}
