import { isoTime, refuse, timeOf, type Decision } from '@tender/kernel';
import type { HoldCanceler } from './hold';
import { accepted, payingBy, wrongState, type PaidIntent, type WrongStep } from './intent-step';
import type {
  IntentHold,
  PaymentIntent,
  PaymentIntentCanceled,
  PaymentIntentCaptured,
  PaymentIntentEvent,
  PaymentIntentHeld,
} from './payment-intent';

/** How long money is held unless it is captured or canceled (specification §2.8). */
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

/** The merchant wants the held money. */
export interface CapturePaymentIntent {
  readonly type: 'CapturePaymentIntent';
  /** ISO 8601, business time. */
  readonly now: string;
}

/** The time of the hold is over. */
export interface EndIntentHold {
  readonly type: 'EndIntentHold';
  readonly due_at: string;
}

/** The captured money is in the merchant’s own wallet. */
export interface SettlePaymentIntent {
  readonly type: 'SettlePaymentIntent';
  readonly payment_id: string;
  readonly settled_at: string;
}

type HeldIntent = PaidIntent & {
  readonly transaction_signature: string;
  readonly hold: IntentHold;
};

/** Its money waits to be captured or canceled. */
export const isHeld = (state: PaymentIntent): state is HeldIntent =>
  state.status === 'processing' && state.hold?.status === 'held';

type Paid = Pick<PaymentIntentCaptured['data'], 'terms' | 'paid_by' | 'transaction_signature'>;

const paidOf = ({ terms, paid_by, transaction_signature }: HeldIntent): Paid => ({
  ...{ terms, paid_by, transaction_signature },
});

export function heldFrom(held_at: string, paid: Paid): PaymentIntentHeld {
  const held_until = isoTime(timeOf(held_at) + HOLD_MS);
  return { type: 'PaymentIntentHeld', data: { ...paid, held_at, held_until } };
}

export function canceledHold(
  held: HeldIntent,
  canceled_by: HoldCanceler,
  canceled_at: string,
): PaymentIntentCanceled {
  const { terms, ...paid } = paidOf(held);
  const hold = { ...paid, canceled_by };
  return { type: 'PaymentIntentCanceled', data: { terms, canceled_at, hold } };
}

/** From the end of the hold on it is canceled, whatever the log holds. */
export function capturePaymentIntent(
  { now }: CapturePaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, WrongStep> {
  if (state.status === 'unknown') return refuse('payment_intent_unknown');
  if (!isHeld(state)) return wrongState(state);
  if (now >= state.hold.until) return wrongState({ ...state, status: 'canceled' });
  const data = { ...paidOf(state), captured_at: now };
  return accepted({ type: 'PaymentIntentCaptured', data });
}

/** Told again, or captured or canceled in the last moment: nothing is left to do. */
export function endIntentHold(
  { due_at }: EndIntentHold,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, 'payment_intent_unknown' | 'hold_end_too_early'> {
  if (state.status === 'unknown') return refuse('payment_intent_unknown');
  if (!isHeld(state)) return accepted();
  if (due_at < state.hold.until) return refuse('hold_end_too_early');
  return accepted(canceledHold(state, 'system', due_at));
}

/** A settlement that fails leaves it `processing`; a later attempt may complete. */
export function settlePaymentIntent(
  { payment_id, settled_at }: SettlePaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, WrongStep> {
  const paying = payingBy(payment_id, state);
  if (!paying.ok) return paying;
  const { terms, paid_by, status, hold, transaction_signature } = paying.intent;
  if (status === 'succeeded') return accepted();
  if (status !== 'processing' || hold?.status !== 'captured' || transaction_signature === null) {
    return wrongState(paying.intent);
  }
  const data = { terms, paid_by, transaction_signature, succeeded_at: settled_at };
  return accepted({ type: 'PaymentIntentSucceeded', data });
}
