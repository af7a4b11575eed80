import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  listPaymentReceipts,
  type PageQuery,
  type ReceiptAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { ownPayment } from '../get-payment/own-payment';
import { receiptPage } from './receipt-pages';

@Controller()
export class ListPaymentReceiptsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPaymentReceipts)
  async list(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptAnswer[]> {
    await ownPayment(this.runtime, caller, id);
    return receiptPage(this.runtime, caller, { payment_id: id, reason: null }, query, reply);
  }
}
