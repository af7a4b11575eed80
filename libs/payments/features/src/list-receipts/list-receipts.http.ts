import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listReceipts,
  type ListReceiptsQuery,
  type ReceiptAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { receiptPage } from './receipt-pages';

@Controller()
export class ListReceiptsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listReceipts)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListReceiptsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptAnswer[]> {
    const filter = { payment_id: null, reason: query.reason ?? null };
    return receiptPage(this.runtime, caller, filter, query, reply);
  }
}
