import { accept, refuse, type Decision, type Refused } from '@tender/kernel';
import {
  initiateRefund,
  type RefundedPayment,
  type RefundRefusal,
  type RefundWish,
} from './decide-refund';
import {
  isResolved,
  type Dispute,
  type DisputeOpened,
  type DisputeResolution,
  type DisputeResolved,
  type DisputeResponded,
  type DisputeResponse,
  type DisputeTerms,
  type Resolved,
} from './dispute';
import type { PaymentCase } from './payment-case';
import type { RefundInitiated } from './refund';

export interface OpenDispute {
  readonly type: 'OpenDispute';
  readonly dispute: DisputeTerms;
  /** As the payment’s stream has it now. */
  readonly payment_status: RefundedPayment['status'];
  /** The wallet that the customer says has paid; null where they name none. */
  readonly named_wallet: string | null;
}

/** Which dispute of the case. */
interface OfDispute {
  readonly dispute_id: string;
  /** Whose it must be; null where an admin asks. */
  readonly merchant_id: string | null;
}

export interface RespondToDispute extends OfDispute {
  readonly type: 'RespondToDispute';
  readonly response: DisputeResponse;
}

/** A part of the payment that goes back to its customer. */
export interface DisputeRefund {
  readonly payment: RefundedPayment;
  readonly wish: RefundWish;
}

export interface ResolveDispute extends OfDispute {
  readonly type: 'ResolveDispute';
  readonly resolution: DisputeResolution;
  readonly resolved_by: Resolved['resolved_by'];
  readonly notes: string | null;
  /** Begins in the same append, or the dispute is not resolved; null where no money moves. */
  readonly refund: DisputeRefund | null;
  /** ISO 8601 with milliseconds, UTC, business time. */
  readonly now: string;
}

type OpenRefusal =
  'otp_invalid' | 'payment_not_disputable' | 'wallet_mismatch' | 'dispute_exists';
type NotUnresolved = 'dispute_unknown' | 'dispute_already_resolved';

/** What a case decides of disputes, by the type of the command (specification §2.10). */
export const disputeRules = {
  /**
   * A code opens one dispute, by the stream that holds them: it is used up together with what it opens, whatever
   * becomes of the process in between (S28).
   */
  OpenDispute(
    { dispute, payment_status, named_wallet }: OpenDispute,
    state: PaymentCase,
  ): Decision<DisputeOpened, OpenRefusal> {
    const disputes = disputesOf(state);
    if (disputes.some(({ terms }) => terms.opened_with === dispute.opened_with)) {
      return refuse('otp_invalid');
    }
    if (payment_status !== 'confirmed') return refuse('payment_not_disputable');
    if (named_wallet !== null && named_wallet !== dispute.customer_wallet) {
      return refuse('wallet_mismatch');
    }
    const open = disputes.find((one) => !isResolved(one));
    if (open) return refuse('dispute_exists', { dispute_id: open.terms.dispute_id });
    return accept<DisputeOpened>({ type: 'DisputeOpened', data: { dispute } });
  },

  /** Once. */
  RespondToDispute: (
    { response, ...named }: RespondToDispute,
    state: PaymentCase,
  ): Decision<DisputeResponded, NotUnresolved | 'invalid_dispute_state'> =>
    ofUnresolved(named, state, ({ status, terms: dispute }) =>
      status === 'open'
        ? accept<DisputeResponded>({ type: 'DisputeResponded', data: { dispute, response } })
        : refuse('invalid_dispute_state', { status }),
    ),

  ResolveDispute: (
    command: ResolveDispute,
    state: PaymentCase,
  ): Decision<RefundInitiated | DisputeResolved, NotUnresolved | RefundRefusal> =>
    ofUnresolved<RefundInitiated | DisputeResolved, RefundRefusal>(command, state, (dispute) => {
      const { refund } = command;
      const begun = refund && initiateRefund(state, refund.payment, refund.wish);
      if (begun && !('type' in begun)) return begun;
      const resolved = resolvedAfter(dispute, command);
      return begun ? accept<RefundInitiated | DisputeResolved>(begun, resolved) : accept(resolved);
    }),
};

/** A dispute that has no end yet. */
function ofUnresolved<Event, Refusal extends string>(
  { dispute_id, merchant_id }: OfDispute,
  state: PaymentCase,
  decide: (dispute: Dispute) => Decision<Event, Refusal>,
): Decision<Event, NotUnresolved | Refusal> | Refused<NotUnresolved> {
  const dispute = disputesOf(state).find(({ terms }) => terms.dispute_id === dispute_id);
  const is_theirs = merchant_id === null || dispute?.terms.merchant_id === merchant_id;
  if (!dispute || !is_theirs) return refuse('dispute_unknown');
  if (isResolved(dispute)) return refuse('dispute_already_resolved', { status: dispute.status });
  return decide(dispute);
}

function resolvedAfter(
  { terms: dispute, response }: Dispute,
  { resolution, resolved_by, notes, refund, now }: ResolveDispute,
): DisputeResolved {
  const refund_id = refund?.wish.refund_id ?? null;
  const resolved: Resolved = { resolution, resolved_by, notes, refund_id, resolved_at: now };
  return { type: 'DisputeResolved', data: { dispute, response, resolved } };
}

const disputesOf = (state: PaymentCase): readonly Dispute[] =>
  state.status === 'unknown' ? [] : state.disputes;
