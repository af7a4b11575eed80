import type { RefundBody, RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import type { RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type {
  Dispute,
  paymentCaseDecider,
  RefundedPayment,
  ResolveDispute,
} from '@tender/refunds-disputes-domain';
import { UNRESOLVED_REFUSALS } from '../disputes/dispute-refusals';
import { subjectsOf, wishOf } from '../refunds/new-refund';
import { REFUND_REFUSAL_ANSWERS } from '../refunds/refund-refusals';

export const RESOLVE_REFUSALS: RefusalAnswers<
  RefusalOf<typeof paymentCaseDecider, ResolveDispute>
> = { ...UNRESOLVED_REFUSALS, ...REFUND_REFUSAL_ANSWERS };

/** What goes back with the resolution, of a payment as it is now. */
export interface PaidBack {
  readonly payment: RefundedPayment;
  readonly body: RefundBody;
}

/** How a dispute is to end; in one append with its refund, if any. */
export function resolution(
  runtime: Pick<Runtime, 'clock'>,
  asked: Pick<RequestContext, 'mode' | 'id_seed'>,
  { terms: { dispute_id, payment_id } }: Dispute,
  back: PaidBack | null,
  how: Pick<ResolveDispute, 'merchant_id' | 'resolution' | 'resolved_by' | 'notes'>,
) {
  const of = { initiated_by: how.resolved_by, dispute_id };
  const refund = back && {
    payment: back.payment,
    wish: wishOf(runtime, asked, back.body, of),
  };
  const now = isoTime(runtime.clock.now());
  const command: ResolveDispute = { type: 'ResolveDispute', dispute_id, refund, now, ...how };
  return { id: payment_id, command, subject_ids: back ? subjectsOf(back.payment) : [] };
}
