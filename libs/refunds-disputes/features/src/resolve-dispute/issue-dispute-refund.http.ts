import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  issueDisputeRefund,
  type IssueDisputeRefundAnswer,
  type RefundBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { Dispute } from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { disputeIn } from '../disputes/dispute-in';
import { disputes } from '../disputes/disputes.projection';
import { ownRow } from '../payment-case/own-row';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { refundedPayment } from '../payment-case/refunded-payment';
import { refundIdOf } from '../refunds/new-refund';
import { renderRefund } from '../refunds/render-refund';
import { RESOLVE_REFUSALS, resolution } from './resolve-dispute';

@Controller()
export class IssueDisputeRefundHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(issueDisputeRefund)
  async issue(
    @Caller() caller: RequestContext,
    @Param('id') dispute_id: string,
    @Body() body: RefundBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<IssueDisputeRefundAnswer> {
    const { runtime } = this;
    const dispute = await ownRow<Dispute>(runtime, disputes, caller, dispute_id, reply);
    const payment = await refundedPayment(runtime, caller, dispute.terms.payment_id);
    const { handled, asked } = await paymentCase.request(runtime, caller, (request) =>
      resolution(runtime, request, dispute, { payment, body }, {
        merchant_id: caller.merchant_id,
        resolution: 'resolved_customer_favor',
        resolved_by: 'merchant',
        notes: null,
      }),
    );
    const { state } = accepted(handled, RESOLVE_REFUSALS, reply);
    const refund = state.refunds.find(({ terms }) => terms.refund_id === refundIdOf(asked));
    invariant(refund, 'a refund that was begun is in its case');
    return {
      dispute_id,
      refund: await renderRefund(runtime, refund),
      status: disputeIn(state, dispute_id).status,
    };
  }
}
