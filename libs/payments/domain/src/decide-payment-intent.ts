import {
  fromUnits,
  isoTime,
  refuse,
  timeOf,
  type Decider,
  type Decision,
  type Refused,
} from '@tender/kernel';
import {
  canceledHold,
  capturePaymentIntent,
  endIntentHold,
  heldFrom,
  isHeld,
  settlePaymentIntent,
} from './decide-intent-hold';
import { accepted, payingBy, wrongState, type WrongStep } from './intent-step';
import type { PaymentCreated } from './payment';
import {
  evolvePaymentIntent,
  UNKNOWN_PAYMENT_INTENT,
  WRONG_SECRETS_MAX,
  type IntentPayment,
  type IntentPaymentFailure,
  type KnownPaymentIntent,
  type PaymentIntent,
  type PaymentIntentCreated,
  type PaymentIntentEvent,
} from './payment-intent';

const CENT_PLACES = 2;
/** Of five wrong secrets, and of the lock that follows them. */
const LOCK_MS = 15 * 60 * 1000;

export interface CreatePaymentIntent {
  readonly type: 'CreatePaymentIntent';
  readonly intent: PaymentIntentCreated['data'];
  /** What the merchant may ask for at most, cents. */
  readonly amount_max: bigint;
}

export interface ConfirmPaymentIntent {
  readonly type: 'ConfirmPaymentIntent';
  readonly has_secret: boolean;
  /** Null where nothing was made ready, because this is refused, or repeats a confirm that was not. */
  readonly ready: {
    readonly paid_by: IntentPayment;
    readonly payment: PaymentCreated['data'];
  } | null;
  /** ISO 8601, business time. */
  readonly now: string;
}

export interface CancelPaymentIntent {
  readonly type: 'CancelPaymentIntent';
  readonly now: string;
}

/** Its time has come. */
export interface ExpirePaymentIntent {
  readonly type: 'ExpirePaymentIntent';
  readonly due_at: string;
}

/** Its payment is confirmed. */
export interface PayPaymentIntent {
  readonly type: 'PayPaymentIntent';
  readonly payment_id: string;
  readonly transaction_signature: string;
  readonly paid_at: string;
}

/** Its payment has ended without money. */
export interface FailPaymentIntent {
  readonly type: 'FailPaymentIntent';
  readonly payment_id: string;
  readonly failure_reason: IntentPaymentFailure;
  readonly failed_at: string;
}

/** What happens to a payment intent, by the type of the command. Each arrow that is not here is refused by name. */
export const paymentIntentDecider = {
  initial: UNKNOWN_PAYMENT_INTENT,
  evolve: evolvePaymentIntent,
  decide: {
    CreatePaymentIntent: createPaymentIntent,
    ConfirmPaymentIntent: confirmPaymentIntent,
    CancelPaymentIntent: cancelPaymentIntent,
    ExpirePaymentIntent: expirePaymentIntent,
    PayPaymentIntent: payPaymentIntent,
    FailPaymentIntent: failPaymentIntent,
    CapturePaymentIntent: capturePaymentIntent,
    EndIntentHold: endIntentHold,
    SettlePaymentIntent: settlePaymentIntent,
  },
} satisfies Decider<PaymentIntent, PaymentIntentEvent>;

export type Unconfirmable = WrongStep | 'confirm_locked';

function createPaymentIntent(
  { intent, amount_max }: CreatePaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, 'payment_intent_exists' | 'amount_too_large'> {
  if (state.status !== 'unknown') return refuse('payment_intent_exists');
  const { terms } = intent;
  // Of another currency its payment is held to the maximum once more, in USD.
  if (BigInt(terms.amount_minor) > amount_max) {
    return refuse('amount_too_large', { amount_max_usd: fromUnits(amount_max, CENT_PLACES) });
  }
  return accepted(
    { type: 'PaymentIntentCreated', data: intent },
    { type: 'PaymentIntentRequiresPayment', data: { terms } },
  );
}

/** An intent waits for its payment, or why it does not: from `expires_at` on it has expired, whatever the log holds. */
function waitingAt(
  state: PaymentIntent,
  now: string,
): Refused<WrongStep> | { readonly ok: true; readonly intent: KnownPaymentIntent } {
  if (state.status === 'unknown') return refuse('payment_intent_unknown');
  if (state.status !== 'requires_payment') return wrongState(state);
  if (now >= state.terms.expires_at) return refuse('invalid_intent_state', { status: 'expired' });
  return { ok: true, intent: state };
}

/** Why this intent cannot be confirmed now, with whatever secret; null where it can. */
export function unconfirmable(state: PaymentIntent, now: string): Refused<Unconfirmable> | null {
  const waiting = waitingAt(state, now);
  if (!waiting.ok) return waiting;
  const locked_until = lockedUntil(waiting.intent);
  if (locked_until === null || now >= locked_until) return null;
  return refuse('confirm_locked', { locked_until });
}

/** Five wrong secrets within the span lock it for a span from the last of them on. */
function lockedUntil({ wrong_secrets_at }: KnownPaymentIntent): string | null {
  const [first, last] = [wrong_secrets_at[0], wrong_secrets_at.at(-1)];
  if (wrong_secrets_at.length < WRONG_SECRETS_MAX || !first || !last) return null;
  return timeOf(last) - timeOf(first) < LOCK_MS ? isoTime(timeOf(last) + LOCK_MS) : null;
}

/** One confirm alone finds it waiting, so an intent has one payment at most (M25). */
function confirmPaymentIntent(
  { has_secret, ready, now }: ConfirmPaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, Unconfirmable> {
  const refused = unconfirmable(state, now);
  if (refused) return refused;
  const { terms } = state as KnownPaymentIntent;
  if (!has_secret) {
    const { payment_intent_id } = terms;
    const data = { payment_intent_id, refused_at: now };
    return accepted({ type: 'ClientSecretRefused', data });
  }
  // It could not be confirmed a moment ago.
  if (ready === null) return wrongState(state as KnownPaymentIntent);
  return accepted({ type: 'PaymentIntentConfirmed', data: { terms, ...ready } });
}

function cancelPaymentIntent(
  { now }: CancelPaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, WrongStep> {
  if (isHeld(state)) return accepted(canceledHold(state, 'merchant', now));
  const waiting = waitingAt(state, now);
  if (!waiting.ok) return waiting;
  const { terms } = waiting.intent;
  return accepted({ type: 'PaymentIntentCanceled', data: { terms, canceled_at: now } });
}

/** Told again, or confirmed or canceled in the last moment: nothing is left to do. */
function expirePaymentIntent(
  { due_at }: ExpirePaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, 'payment_intent_unknown' | 'expiry_too_early'> {
  if (state.status === 'unknown') return refuse('payment_intent_unknown');
  if (state.status !== 'requires_payment') return accepted();
  const { terms } = state;
  if (due_at < terms.expires_at) return refuse('expiry_too_early');
  return accepted({ type: 'PaymentIntentExpired', data: { terms, expired_at: due_at } });
}

/** A manual one is held from here on, and ends later. */
function payPaymentIntent(
  { payment_id, transaction_signature, paid_at }: PayPaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, WrongStep> {
  const paying = payingBy(payment_id, state);
  if (!paying.ok) return paying;
  const { terms, paid_by, status, hold } = paying.intent;
  if (status === 'succeeded' || hold) return accepted();
  if (status !== 'processing') return wrongState(paying.intent);
  const paid = { terms, paid_by, transaction_signature };
  if (terms.capture_method === 'manual') return accepted(heldFrom(paid_at, paid));
  return accepted({ type: 'PaymentIntentSucceeded', data: { ...paid, succeeded_at: paid_at } });
}

function failPaymentIntent(
  { payment_id, failure_reason, failed_at }: FailPaymentIntent,
  state: PaymentIntent,
): Decision<PaymentIntentEvent, WrongStep> {
  const paying = payingBy(payment_id, state);
  if (!paying.ok) return paying;
  const { terms, paid_by, status } = paying.intent;
  if (status === 'failed') return accepted();
  if (status !== 'processing') return wrongState(paying.intent);
  const data = { terms, paid_by, failure_reason, failed_at };
  return accepted({ type: 'PaymentIntentFailed', data });
}
