import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listSettlements,
  type ListSettlementsQuery,
  type RequestContext,
  type SettlementAnswer,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { answerSettlement } from '../settlements/render-settlement';
import { SETTLEMENT_COLUMNS, settlements } from '../settlements/settlements.projection';

const settlementList = listing({
  view: settlements,
  columns: SETTLEMENT_COLUMNS,
  filters: { payment_id: 'payment_id', status: 'status' },
  show: answerSettlement,
});

@Controller()
export class ListSettlementsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listSettlements)
  list(
    @Caller() caller: RequestContext,
    @Query() query: ListSettlementsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettlementAnswer[]> {
    return settlementList.array(this.runtime, caller, query, reply);
  }
}
