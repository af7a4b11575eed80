import { accept, refuse, type Decision } from '@tender/kernel';
import { holdStateOf, type KnownPayment, type Payment, type PaymentEvent } from './payment';
import type { HoldCanceler } from './hold';
import type { Settlement, SettlementFailureReason } from './settlement';

/** The intent that held the money is captured. */
export interface RequestSettlement {
  readonly type: 'RequestSettlement';
  readonly settlement_id: string;
  readonly requested_at: string;
}

/** The merchant wants a failed settlement tried once more. */
export interface RetrySettlement {
  readonly type: 'RetrySettlement';
  readonly requested_at: string;
}

/** Treasury has signed a transaction of the transfer. */
export interface SendSettlement {
  readonly type: 'SendSettlement';
  readonly attempt: number;
  readonly transaction_signature: string;
}

/** The transfer is final. */
export interface CompleteSettlement {
  readonly type: 'CompleteSettlement';
  readonly attempt: number;
  readonly transaction_signature: string;
}

/** The transfer has moved nothing, and never will. */
export interface FailSettlement {
  readonly type: 'FailSettlement';
  readonly attempt: number;
  readonly reason: SettlementFailureReason;
  readonly transaction_signature: string | null;
  readonly failed_at: string;
}

/** The intent that held the money is canceled. */
export interface CancelHold {
  readonly type: 'CancelHold';
  readonly canceled_by: HoldCanceler;
  readonly canceled_at: string;
}

const accepted = (...events: readonly PaymentEvent[]) => accept<PaymentEvent>(...events);

/** Why held money takes no step. */
export type HoldRefusal = 'payment_unknown' | 'payment_not_held' | 'hold_canceled' | 'hold_captured';

/** A held payment whose money has come; `of`: what its events carry. */
function heldMoney(state: Payment) {
  if (state.status === 'unknown') return refuse('payment_unknown');
  const { confirmation, terms } = state;
  if (!terms.hold || !confirmation) return refuse('payment_not_held', { status: state.status });
  return { ok: true as const, hold: holdStateOf(state), of: { terms, confirmation } };
}

export function requestSettlement(
  { settlement_id, requested_at }: RequestSettlement,
  state: Payment,
): Decision<PaymentEvent, HoldRefusal> {
  const held = heldMoney(state);
  if (!held.ok) return held;
  if (held.hold === 'canceled') return refuse('hold_canceled');
  if (held.hold !== 'held') return accepted();
  const data = { ...held.of, settlement_id, attempt: 1, requested_at };
  return accepted({ type: 'SettlementRequested', data });
}

export function cancelHold(
  { canceled_by, canceled_at }: CancelHold,
  state: Payment,
): Decision<PaymentEvent, HoldRefusal> {
  const held = heldMoney(state);
  if (!held.ok) return held;
  if (held.hold === 'canceled') return accepted();
  if (held.hold !== 'held') return refuse('hold_captured');
  return accepted({ type: 'HoldCanceled', data: { ...held.of, canceled_by, canceled_at } });
}

/** Why a settlement takes no step. */
export type SettlementRefusal =
  | 'payment_unknown'
  | 'settlement_unknown'
  | 'settlement_completed'
  | 'settlement_failed';

/**
 * The settlement that is a transfer of its own; that of a payment straight to the merchant’s wallet is none. No
 * transfer is known of an attempt that was not requested.
 */
function transferred(state: Payment, attempt = 1) {
  if (state.status === 'unknown') return refuse('payment_unknown');
  const { settlement, confirmation, terms } = state;
  if (!settlement || !confirmation || attempt > settlement.attempt) {
    return refuse('settlement_unknown');
  }
  const { settlement_id } = settlement;
  return { ok: true as const, settlement, of: { terms, confirmation, settlement_id } };
}

export function retrySettlement(
  { requested_at }: RetrySettlement,
  state: Payment,
): Decision<PaymentEvent, 'payment_unknown' | 'settlement_not_retryable'> {
  const known = transferred(state);
  if (!known.ok) {
    if (known.refusal === 'payment_unknown') return refuse('payment_unknown');
    return refuse('settlement_not_retryable', statusOf(state as KnownPayment));
  }
  const { settlement, of } = known;
  if (settlement.status !== 'failed') {
    return refuse('settlement_not_retryable', { status: settlement.status });
  }
  const data = { ...of, attempt: settlement.attempt + 1, requested_at };
  return accepted({ type: 'SettlementRequested', data });
}

const statusOf = ({ settlement_id }: KnownPayment): Record<string, unknown> =>
  settlement_id === null ? {} : { status: 'completed' };

export function sendSettlement(
  { attempt, transaction_signature }: SendSettlement,
  state: Payment,
): Decision<PaymentEvent, SettlementRefusal> {
  const known = transferred(state, attempt);
  if (!known.ok) return known;
  const { settlement, of } = known;
  const ended = endedOf(settlement, attempt);
  if (settlement.transaction_signature === transaction_signature && ended !== 'settlement_failed') {
    return accepted();
  }
  if (ended !== null) return refuse(ended);
  return accepted({ type: 'SettlementSent', data: { ...of, attempt, transaction_signature } });
}

export function completeSettlement(
  { attempt, transaction_signature }: CompleteSettlement,
  state: Payment,
): Decision<PaymentEvent, SettlementRefusal> {
  const known = transferred(state, attempt);
  if (!known.ok) return known;
  const { settlement, of } = known;
  const ended = endedOf(settlement, attempt);
  if (ended === 'settlement_completed' && settlement.transaction_signature === transaction_signature) {
    return accepted();
  }
  if (ended !== null) return refuse(ended);
  return accepted({ type: 'PaymentSettled', data: { ...of, attempt, transaction_signature } });
}

export function failSettlement(
  { attempt, reason, transaction_signature, failed_at }: FailSettlement,
  state: Payment,
): Decision<PaymentEvent, SettlementRefusal> {
  const known = transferred(state, attempt);
  if (!known.ok) return known;
  const { settlement, of } = known;
  const ended = endedOf(settlement, attempt);
  if (ended === 'settlement_failed') return accepted();
  if (ended !== null) return refuse(ended);
  const data = { ...of, attempt, reason, transaction_signature, failed_at };
  return accepted({ type: 'SettlementFailed', data });
}

/** How that attempt has ended; null while it may move money. A later one is made only where it has failed. */
function endedOf(
  { attempt: newest, status }: Settlement,
  attempt: number,
): 'settlement_completed' | 'settlement_failed' | null {
  if (attempt < newest || status === 'failed') return 'settlement_failed';
  return status === 'completed' ? 'settlement_completed' : null;
}
