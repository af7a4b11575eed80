import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listRefunds,
  type ListRefundsAnswer,
  type ListRefundsQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves, timeBounds } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { refundsOfMerchant } from '../refunds/refund-list';
import { renderRefund } from '../refunds/render-refund';

@Controller()
export class ListRefundsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listRefunds)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: ListRefundsQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListRefundsAnswer> {
    const asked = { ...query, ...timeBounds(query) };
    const { items, ...page } = await refundsOfMerchant.page(this.runtime, caller, asked, reply);
    const refunds = await Promise.all(items.map((row) => renderRefund(this.runtime, row)));
    return { refunds, ...page };
  }
}
