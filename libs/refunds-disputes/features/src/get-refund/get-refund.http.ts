import { Controller, Inject, Param, Res } from '@nestjs/common';
import { getRefund, type RefundAnswer, type RequestContext } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Caller, RUNTIME, Serves } from '@tender/http';
import type { Refund } from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { ownRow } from '../payment-case/own-row';
import { refunds } from '../refunds/refunds.projection';
import { renderRefund } from '../refunds/render-refund';

@Controller()
export class GetRefundHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(getRefund)
  async get(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RefundAnswer> {
    return renderRefund(
      this.runtime,
      await ownRow<Refund>(this.runtime, refunds, caller, id, reply),
    );
  }
}
