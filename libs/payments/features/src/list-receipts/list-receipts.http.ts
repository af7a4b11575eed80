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
import { receiptList } from './receipt-list';

@Controller()
export class ListReceiptsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listReceipts)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListReceiptsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ReceiptAnswer[]> {
    return receiptList.array(this.runtime, caller, query, reply);
  }
}
