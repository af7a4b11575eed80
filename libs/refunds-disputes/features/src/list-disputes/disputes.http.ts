import { Controller, Inject, Param, Query, Res } from '@nestjs/common';
import {
  getDispute,
  LIST_LIMIT_DEFAULT,
  listDisputes,
  type DisputeAnswer,
  type ListDisputesAnswer,
  type ListDisputesQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves, timeBounds } from '@tender/http';
import type { Dispute } from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { disputes } from '../disputes/disputes.projection';
import { renderDispute } from '../disputes/render-dispute';
import { ownRow } from '../payment-case/own-row';

const mine = listing({
  view: disputes,
  filters: {
    ...{ status: 'status', dispute_type: 'dispute_type' },
    ...{ start_date: { from: 'created_at' }, end_date: { to: 'created_at' } },
  },
  limit: LIST_LIMIT_DEFAULT,
  show: ({ state }: { readonly state: Dispute }) => state,
});

@Controller()
export class DisputesHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listDisputes)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: ListDisputesQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListDisputesAnswer> {
    const { runtime } = this;
    const asked = { ...query, ...timeBounds(query) };
    const { items, ...page } = await mine.page(runtime, caller, asked, reply);
    const shown = items.map((dispute) => renderDispute(runtime.keyRing, dispute));
    return { disputes: await Promise.all(shown), ...page };
  }

  @Serves(getDispute)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DisputeAnswer> {
    const dispute = await ownRow<Dispute>(this.runtime, disputes, caller, id, reply);
    return renderDispute(this.runtime.keyRing, dispute);
  }
}
