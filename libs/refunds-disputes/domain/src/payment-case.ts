import { disputeAfter, type Dispute, type DisputeEvent } from './dispute';
import { refundAfter, type Refund, type RefundEvent } from './refund';

export type PaymentCaseEvent = RefundEvent | DisputeEvent;

/**
 * All that follows a payment: its refunds and disputes, oldest first. One stream holds both, so that one append can
 * resolve a dispute with a refund, and so that no two refunds of a payment are ever under way (M2, M23).
 */
export interface KnownPaymentCase {
  readonly status: 'begun';
  readonly payment_id: string;
  readonly merchant_id: string;
  readonly refunds: readonly Refund[];
  readonly disputes: readonly Dispute[];
}
export type PaymentCase = { readonly status: 'unknown' } | KnownPaymentCase;

export const UNKNOWN_PAYMENT_CASE: PaymentCase = { status: 'unknown' };

const OF_REFUNDS: readonly string[] = [
  'RefundInitiated',
  'RefundSent',
  'RefundCompleted',
  'RefundFailed',
] satisfies RefundEvent['type'][];
const OF_DISPUTES: readonly string[] = [
  'DisputeOpened',
  'DisputeResponded',
  'DisputeResolved',
] satisfies DisputeEvent['type'][];

export const isOfRefund = (event: { readonly type: string }): event is RefundEvent =>
  OF_REFUNDS.includes(event.type);
export const isOfDispute = (event: { readonly type: string }): event is DisputeEvent =>
  OF_DISPUTES.includes(event.type);

/** The fold. What only a later release knows changes nothing. */
export function evolvePaymentCase(state: PaymentCase, event: PaymentCaseEvent): PaymentCase {
  if (isOfRefund(event)) {
    const known = caseOf(state, event.data.refund);
    return { ...known, refunds: withNewest(known.refunds, refundAfter(event), refundIdOf) };
  }
  if (!isOfDispute(event)) return state;
  const known = caseOf(state, event.data.dispute);
  return { ...known, disputes: withNewest(known.disputes, disputeAfter(event), disputeIdOf) };
}

const refundIdOf = ({ terms }: Refund): string => terms.refund_id;
const disputeIdOf = ({ terms }: Dispute): string => terms.dispute_id;

const caseOf = (
  state: PaymentCase,
  { payment_id, merchant_id }: Pick<KnownPaymentCase, 'payment_id' | 'merchant_id'>,
): KnownPaymentCase =>
  state.status === 'unknown'
    ? { status: 'begun', payment_id, merchant_id, refunds: [], disputes: [] }
    : state;

/** The one that it tells of stands where it stood, or at the end. */
function withNewest<One>(
  all: readonly One[],
  newest: One,
  idOf: (one: One) => string,
): readonly One[] {
  const at = all.findLastIndex((one) => idOf(one) === idOf(newest));
  return at < 0 ? [...all, newest] : all.with(at, newest);
}
