import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  createRefund,
  type RefundAnswer,
  type RefundBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { refundedPayment } from '../payment-case/refunded-payment';
import { refundIdOf, subjectsOf, wishOf } from '../refunds/new-refund';
import { REFUND_REFUSAL_ANSWERS } from '../refunds/refund-refusals';
import { renderRefund } from '../refunds/render-refund';

@Controller()
export class CreateRefundHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(createRefund)
  async create(
    @Caller() caller: RequestContext,
    @Param('payment_id') payment_id: string,
    @Body() body: RefundBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefundAnswer> {
    const payment = await refundedPayment(this.runtime, caller, payment_id);
    const by_merchant = { initiated_by: 'merchant', dispute_id: null } as const;
    const { handled, asked } = await paymentCase.request(this.runtime, caller, (asked) => {
      const wish = wishOf(this.runtime, asked, body, by_merchant);
      const command = { type: 'InitiateRefund', payment, wish } as const;
      return { id: payment_id, command, subject_ids: subjectsOf(payment) };
    });
    const { state } = accepted(handled, REFUND_REFUSAL_ANSWERS, reply);
    const refund = state.refunds.find(({ terms }) => terms.refund_id === refundIdOf(asked));
    invariant(refund, 'a refund that was begun is in its case');
    return renderRefund(this.runtime, refund);
  }
}
