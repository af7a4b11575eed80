import { Controller, Inject, Param, Res } from '@nestjs/common';
import { retrySettlement, type RequestContext, type SettlementAnswer } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, notFound, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { invariant, isoTime, type RefusalOf } from '@tender/kernel';
import { settlementOf, type paymentDecider, type RetrySettlement } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { payment } from '../payment-details/payment.aggregate';
import { answerSettlement } from '../settlements/render-settlement';
import { findSettlement } from '../settlements/settlements.projection';

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentDecider, RetrySettlement>> = {
  payment_unknown: [404, 'not_found', 'There is no such resource.'],
  settlement_not_retryable: [
    409,
    'settlement_not_retryable',
    'Only a settlement that has failed can be retried. Look at its status.',
  ],
};

@Controller()
export class RetrySettlementHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** Answers the settlement as it is then: pending, of the next attempt. */
  @Serves(retrySettlement)
  async retry(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<SettlementAnswer> {
    const row = await findSettlement(this.runtime, caller.mode, id);
    if (row?.terms.merchant_id !== caller.merchant_id) throw notFound();
    const { handled } = await payment.request(this.runtime, caller, () => {
      const requested_at = isoTime(this.runtime.clock.now());
      const command = { type: 'RetrySettlement', requested_at } as const;
      return { id: row.terms.payment_id, command };
    });
    const settlement = settlementOf(accepted(handled, REFUSALS, reply).state);
    invariant(settlement, 'a settlement that is retried is there');
    return answerSettlement({ ...row, settlement, completed_at: null });
  }
}
