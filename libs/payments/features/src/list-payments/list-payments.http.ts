import { Controller, Inject, Query, Res } from '@nestjs/common';
import {
  listPayments,
  PAGE_LIMIT_DEFAULT,
  type ListPaymentsAnswer,
  type PageQuery,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { awaitOwnWrites, Caller, RUNTIME, Serves } from '@tender/http';
import type { KnownPayment } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { paymentDetailsFollower } from '../payment-details/payment-details.projection';
import { renderPayment } from '../payment-details/render-payment';

const PAGE = `select state from payments.payment_details
  where merchant_id = $1 and mode = $2
  order by created_at desc, id desc limit $3 offset $4`;
const TOTAL = `select count(*)::int as total from payments.payment_details
  where merchant_id = $1 and mode = $2`;

@Controller()
export class ListPaymentsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(listPayments)
  async list(
    @Caller() caller: RequestContext,
    @Query() query: PageQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ListPaymentsAnswer> {
    const { merchant_id, mode, merchant_name } = caller;
    const { limit = PAGE_LIMIT_DEFAULT, offset = 0 } = query;
    const follower = { schema: 'payments', follower: paymentDetailsFollower(mode) };
    await awaitOwnWrites(this.runtime, caller, follower, reply);

    const { readModels } = this.runtime;
    const [rows, totals] = await Promise.all([
      readModels.query<{ state: KnownPayment }>(PAGE, [merchant_id, mode, limit, offset]),
      readModels.query<{ total: number }>(TOTAL, [merchant_id, mode]),
    ]);
    const total = totals[0]?.total ?? 0;
    const data = rows.map(({ state }) => renderPayment(state, merchant_name));
    const has_more = offset + data.length < total;
    return { data, pagination: { limit, offset, total, has_more } };
  }
}
