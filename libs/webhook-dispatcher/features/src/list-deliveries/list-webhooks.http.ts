import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listWebhooks,
  type PageQuery,
  type RequestContext,
  type WebhookDelivery,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, listing, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { SCHEMA } from '../endpoint-view/endpoints-shown';
import { DELIVERIES, webhookDeliveryOf, type DeliveryRow } from './delivery-row';

const deliveries = listing({
  view: { table: DELIVERIES, schema: SCHEMA, follower: null },
  columns: '*',
  // As the index has it: a page costs the same however many deliveries there are.
  order: 'indexed_at desc, id desc',
  show: (row: DeliveryRow) => row,
});

@Controller()
export class ListWebhooksHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listWebhooks)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDelivery[]> {
    const rows = await deliveries.array(this.runtime, caller, query, reply);
    return Promise.all(rows.map((row) => webhookDeliveryOf(this.runtime, row)));
  }
}
