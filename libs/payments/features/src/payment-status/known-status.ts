import type { PaymentStatusAnswer } from '@tender/contracts';
import { ownEvent, type StoredEvent } from '@tender/eventing';
import {
  evolvePayment,
  paymentAfter,
  UNKNOWN_PAYMENT,
  type KnownPayment,
  type Payment,
  type PaymentEvent,
} from '@tender/payments-domain';

/** A payment's status at a revision of its stream. */
export interface KnownStatus {
  readonly revision: number;
  /** The revision that brought this answer: later events left it as it is. */
  readonly since: number;
  readonly answer: PaymentStatusAnswer;
}

/** From the whole stream; null when there is no such payment. */
export function statusOf(events: readonly StoredEvent[]): KnownStatus | null {
  let state: Payment = UNKNOWN_PAYMENT;
  let known: KnownStatus | null = null;
  for (const event of events) {
    state = evolvePayment(state, ownEvent<PaymentEvent>(event));
    if (state.status !== 'unknown') known = next(known, event.revision, state);
  }
  return known;
}

/** From one event of it alone: how long the status has been so is known only after what is `known`. */
export const statusAfter = (event: StoredEvent, known: KnownStatus | null): KnownStatus =>
  next(known, event.revision, paymentAfter(ownEvent<PaymentEvent>(event)));

export const isLast = ({ answer }: KnownStatus): boolean => answer.status !== 'pending';

export const saysTheSame = (one: KnownStatus, other: KnownStatus): boolean =>
  one.answer.status === other.answer.status &&
  one.answer.transaction_signature === other.answer.transaction_signature;

function next(known: KnownStatus | null, revision: number, payment: KnownPayment): KnownStatus {
  const { status, transaction_signature, terms } = payment;
  const answer = { id: terms.payment_id, status, transaction_signature };
  const fresh = { revision, since: revision, answer };
  return known && saysTheSame(known, fresh) ? { ...fresh, since: known.since } : fresh;
}
