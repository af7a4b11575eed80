import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  listPaymentRefunds,
  type PageQuery,
  type RefundAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { refundedPayment } from '../payment-case/refunded-payment';
import { refundsOfPayment } from '../refunds/refund-list';
import { renderRefund } from '../refunds/render-refund';

@Controller()
export class ListPaymentRefundsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPaymentRefunds)
  async list(
    @Caller() caller: RequestContext,
    @Param('payment_id') payment_id: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefundAnswer[]> {
    await refundedPayment(this.runtime, caller, payment_id);
    const asked = { ...query, payment_id };
    const rows = await refundsOfPayment.array(this.runtime, caller, asked, reply);
    return Promise.all(rows.map((row) => renderRefund(this.runtime, row)));
  }
}
