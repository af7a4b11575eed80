import { accept, refuse, type Refused } from '@tender/kernel';
import type {
  IntentPayment,
  KnownPaymentIntent,
  PaymentIntent,
  PaymentIntentEvent,
} from './payment-intent';

/** Why an intent does not take a step. */
export type WrongStep = 'payment_intent_unknown' | 'invalid_intent_state';

export const accepted = (...events: readonly PaymentIntentEvent[]) =>
  accept<PaymentIntentEvent>(...events);

export const wrongState = ({ status, paid_by }: KnownPaymentIntent): Refused<'invalid_intent_state'> => {
  const payment = paid_by && { payment_id: paid_by.payment_id, payment_url: paid_by.payment_url };
  return refuse('invalid_intent_state', { status, ...payment });
};

export type PaidIntent = KnownPaymentIntent & { readonly paid_by: IntentPayment };

/** The intent that this payment pays; no other payment moves it. */
export function payingBy(
  payment_id: string,
  state: PaymentIntent,
): Refused<WrongStep> | { readonly ok: true; readonly intent: PaidIntent } {
  if (state.status === 'unknown') return refuse('payment_intent_unknown');
  const { paid_by } = state;
  if (paid_by?.payment_id !== payment_id) return wrongState(state);
  return { ok: true, intent: { ...state, paid_by } };
}
