import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listWebhooks,
  PAGE_LIMIT_DEFAULT,
  type PageQuery,
  type RequestContext,
  type WebhookDelivery,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { FastifyReply } from 'fastify';
import { countDeliveries, readDeliveries, webhookDeliveryOf } from './delivery-row';

@Controller()
export class ListWebhooksHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listWebhooks)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<WebhookDelivery[]> {
    const { readModels } = this.runtime;
    const { limit = PAGE_LIMIT_DEFAULT, offset = 0 } = query;
    const [rows, total] = await Promise.all([
      readDeliveries(readModels, caller, { limit, offset }),
      countDeliveries(readModels, caller),
    ]);
    void reply.header('X-Total-Count', String(total));
    return rows.map(webhookDeliveryOf);
  }
}
