import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  modeOf,
  resolveDispute,
  routeText,
  uuidIds,
  type DisputeAnswer,
  type DisputeOutcome,
  type RequestContext,
  type ResolveDisputeBody,
} from '@tender/contracts';
import { recordAdminChange, type Runtime } from '@tender/eventing';
import { accepted, Caller, invalidParameter, notFound, RUNTIME, Serves } from '@tender/http';
import type { Dispute, DisputeResolution } from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { disputeIn } from '../disputes/dispute-in';
import { disputes } from '../disputes/disputes.projection';
import { renderDispute } from '../disputes/render-dispute';
import { findRow } from '../payment-case/own-row';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { refundedPayment } from '../payment-case/refunded-payment';
import { RESOLVE_REFUSALS, resolution, type PaidBack } from './resolve-dispute';

const RESOLUTIONS: Readonly<Record<DisputeOutcome, DisputeResolution>> = {
  merchant_favor: 'resolved_merchant_favor',
  customer_favor: 'resolved_customer_favor',
  closed: 'closed',
};

@Controller()
export class AdminResolveDisputeHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Money moves where `refund_amount_usd` is sent, and only then (specification §2.10). */
  @Serves(resolveDispute)
  async resolve(
    @Caller() caller: RequestContext,
    @Param('id') dispute_id: string,
    @Body() { outcome, resolution_notes, refund_amount_usd, reason }: ResolveDisputeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DisputeAnswer> {
    const { runtime } = this;
    const amount_usd = refund_amount_usd ?? null;
    if (outcome === 'merchant_favor' && amount_usd !== null) {
      const message = 'must be left out with merchant_favor: the merchant keeps the money';
      throw invalidParameter({ field: 'refund_amount_usd', message });
    }
    const mode = modeOf(uuidIds, dispute_id);
    const row = mode && (await findRow<Dispute>(runtime, disputes, mode, dispute_id));
    if (!row) throw notFound();
    const dispute = row.state;
    await recordAdminChange(runtime, caller, {
      ...{ reason, route: routeText(resolveDispute) },
      what: { dispute_id, outcome, refund_amount_usd: amount_usd },
    });
    const { merchant_id } = row;
    const of_merchant = { ...caller, mode, merchant_id };
    const back: PaidBack | null =
      amount_usd === null
        ? null
        : {
            payment: await refundedPayment(runtime, of_merchant, dispute.terms.payment_id),
            body: { amount_usd },
          };
    const { handled } = await paymentCase.request(runtime, of_merchant, (asked) =>
      resolution(runtime, asked, dispute, back, {
        merchant_id: null,
        resolution: RESOLUTIONS[outcome],
        resolved_by: 'admin',
        notes: resolution_notes ?? null,
      }),
    );
    const { state } = accepted(handled, RESOLVE_REFUSALS, reply);
    return renderDispute(runtime.keyRing, disputeIn(state, dispute_id));
  }
}
