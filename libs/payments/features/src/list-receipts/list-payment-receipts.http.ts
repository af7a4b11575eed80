import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  listPaymentReceipts,
  type ListPaymentReceiptsQuery,
  type ReceiptAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { payment } from '../payment-details/payment.aggregate';
import { receiptList } from './receipt-list';

@Controller()
export class ListPaymentReceiptsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPaymentReceipts)
  async list(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Query() query: ListPaymentReceiptsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptAnswer[]> {
    await own(payment, this.runtime, caller, id);
    return receiptList.array(this.runtime, caller, { ...query, payment_id: id }, reply);
  }
}
