import {
  accept,
  fromUnits,
  isoTime,
  refuse,
  timeOf,
  type Decision,
  type Mode,
  type Refused,
  type Token,
} from '@tender/kernel';
import type { PaymentCase } from './payment-case';
import {
  isUnderWay,
  type Refund,
  type RefundEvent,
  type RefundFailureReason,
  type RefundInitiated,
  type RefundInitiator,
} from './refund';
import { leftOf, tokenAmountOf } from './refundable';

const CENT_PLACES = 2;
/** Signing and finality take some 20 seconds; the rest is for a chain that is slow. */
const ESTIMATE_MS = 60_000;

/** What a refund needs to know of its payment, as the payment’s own stream has it now. */
export interface RefundedPayment {
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly mode: Mode;
  readonly status: 'pending' | 'confirmed' | 'failed' | 'expired';
  readonly amount_usd_cents: string;
  readonly token: Token;
  /** What was due, base units. */
  readonly token_amount: string;
  /** The wallet that paid; null where that is not known. */
  readonly customer_wallet: string | null;
  readonly transaction_signature: string | null;
  /** Where the money of a held payment is in its course; `none` for other payments. */
  readonly hold: 'none' | 'held' | 'capturing' | 'captured' | 'canceled';
  readonly customer_subject: string | null;
  readonly customer_email_sealed: string | null;
  readonly webhook_url: string | null;
}

/** What is asked for. Where the money goes is not: it goes to the wallet that paid (M4). */
export interface RefundWish {
  readonly refund_id: string;
  /** Above 0. */
  readonly amount_usd_cents: string;
  readonly reason: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly initiated_by: RefundInitiator;
  readonly dispute_id: string | null;
  /** Allowed for a canceled hold alone, as its first refund. */
  readonly of_canceled_hold: boolean;
  /** ISO 8601 with milliseconds, UTC, business time. */
  readonly now: string;
}

export interface InitiateRefund {
  readonly type: 'InitiateRefund';
  readonly payment: RefundedPayment;
  readonly wish: RefundWish;
}
/** A transaction of it was signed. */
export interface SendRefund {
  readonly type: 'SendRefund';
  readonly refund_id: string;
  readonly transaction_signature: string;
}
/** Its money is back, at finalized. */
export interface CompleteRefund {
  readonly type: 'CompleteRefund';
  readonly refund_id: string;
  readonly transaction_signature: string;
  readonly now: string;
}
/** Its money has not left and never will. */
export interface FailRefund {
  readonly type: 'FailRefund';
  readonly refund_id: string;
  readonly reason: RefundFailureReason;
  /** Of the transaction that failed on chain; null where none did. */
  readonly transaction_signature: string | null;
  readonly now: string;
}

/** Why money of a payment is not sent back. */
export type RefundRefusal =
  | 'payment_not_refundable'
  | 'refund_in_progress'
  | 'payment_already_refunded'
  | 'refund_amount_exceeds_remaining'
  | 'refund_below_base_unit';

/**
 * The refund that the wish asks for, or why there is none (specification §2.9). For every command that begins a
 * refund, so that those of merchants, of disputes and of canceled holds share one balance (M1, M2, M23).
 */
export function initiateRefund(
  state: PaymentCase,
  payment: RefundedPayment,
  wish: RefundWish,
): Refused<RefundRefusal> | RefundInitiated {
  const refunds = state.status === 'unknown' ? [] : state.refunds;
  const { customer_wallet, transaction_signature } = payment;
  const is_held = isHeld(payment, refunds, wish);
  const is_paid = payment.status === 'confirmed' && transaction_signature !== null;
  if (!is_paid || customer_wallet === null || is_held) return refuse('payment_not_refundable');
  if (refunds.some(isUnderWay)) return refuse('refund_in_progress');
  const left = leftOf(payment, refunds);
  if (left.usd_cents <= 0n) return refuse('payment_already_refunded');
  const cents = BigInt(wish.amount_usd_cents);
  if (cents > left.usd_cents) {
    const remaining_usd = fromUnits(left.usd_cents, CENT_PLACES);
    return refuse('refund_amount_exceeds_remaining', { remaining_usd });
  }
  const token_amount = tokenAmountOf(payment, cents, left);
  if (token_amount <= 0n) return refuse('refund_below_base_unit');
  const { now, ...asked } = wish;
  const refund = {
    ...asked,
    payment_id: payment.payment_id,
    merchant_id: payment.merchant_id,
    mode: payment.mode,
    token: payment.token,
    token_amount: token_amount.toString(),
    customer_wallet,
    paid_by: transaction_signature,
    payment_usd_cents: payment.amount_usd_cents,
    payment_token_amount: payment.token_amount,
    customer_subject: payment.customer_subject,
    customer_email_sealed: payment.customer_email_sealed,
    webhook_url: payment.webhook_url,
    created_at: now,
    estimated_completion: isoTime(timeOf(now) + ESTIMATE_MS),
  };
  return { type: 'RefundInitiated', data: { refund } };
}

/** Whether money of a hold stays where it is: of a canceled one, until the refund of the cancellation has begun. */
function isHeld(
  { hold }: RefundedPayment,
  refunds: readonly Refund[],
  { of_canceled_hold }: RefundWish,
): boolean {
  if (hold === 'held' || hold === 'capturing') return true;
  const is_first = !refunds.some(({ terms }) => terms.of_canceled_hold);
  return of_canceled_hold ? hold !== 'canceled' : hold === 'canceled' && is_first;
}

/** What a case decides of refunds, by the type of the command. */
export const refundRules = {
  InitiateRefund(
    { payment, wish }: InitiateRefund,
    state: PaymentCase,
  ): Decision<RefundEvent, RefundRefusal> {
    if (refundIn(state, wish.refund_id)) return accept();
    const begun = initiateRefund(state, payment, wish);
    return 'type' in begun ? accept(begun) : begun;
  },
  SendRefund: (
    { refund_id, transaction_signature }: SendRefund,
    state: PaymentCase,
  ): Decision<RefundEvent, 'refund_unknown' | 'refund_ended'> =>
    ofRefund(state, refund_id, (refund) => {
      if (refund.transaction_signature === transaction_signature) return accept();
      if (!isUnderWay(refund)) return refuse('refund_ended', { status: refund.status });
      const data = { refund: refund.terms, transaction_signature };
      return accept({ type: 'RefundSent', data });
    }),
  CompleteRefund: (
    { refund_id, transaction_signature, now }: CompleteRefund,
    state: PaymentCase,
  ): Decision<RefundEvent, 'refund_unknown' | 'refund_ended'> =>
    ofRefund(state, refund_id, (refund) => {
      const { status } = refund;
      const is_same = refund.transaction_signature === transaction_signature;
      if (status === 'completed' && is_same) return accept();
      if (!isUnderWay(refund)) return refuse('refund_ended', { status });
      const data = { refund: refund.terms, transaction_signature, completed_at: now };
      return accept({ type: 'RefundCompleted', data });
    }),
  FailRefund: (
    { refund_id, reason, transaction_signature, now }: FailRefund,
    state: PaymentCase,
  ): Decision<RefundEvent, 'refund_unknown' | 'refund_ended'> =>
    ofRefund(state, refund_id, (refund) => {
      if (refund.status === 'failed' && refund.failure_reason === reason) return accept();
      if (!isUnderWay(refund)) return refuse('refund_ended', { status: refund.status });
      const data = { refund: refund.terms, reason, transaction_signature, failed_at: now };
      return accept({ type: 'RefundFailed', data });
    }),
};

const refundIn = (state: PaymentCase, refund_id: string): Refund | undefined =>
  state.status === 'unknown'
    ? undefined
    : state.refunds.find(({ terms }) => terms.refund_id === refund_id);

/** What became of one refund of the case. */
function ofRefund(
  state: PaymentCase,
  refund_id: string,
  decide: (refund: Refund) => Decision<RefundEvent, 'refund_ended'>,
): Decision<RefundEvent, 'refund_unknown' | 'refund_ended'> {
  const refund = refundIn(state, refund_id);
  return refund ? decide(refund) : refuse('refund_unknown');
}
