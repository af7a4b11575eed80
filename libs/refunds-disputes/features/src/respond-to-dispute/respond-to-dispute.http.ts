import { Body, Controller, Inject, Param, Res } from '@nestjs/common';
import {
  respondToDispute,
  type DisputeAnswer,
  type RequestContext,
  type RespondToDisputeBody,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, RUNTIME, Serves, type RefusalAnswers } from '@tender/http';
import { isoTime, type RefusalOf } from '@tender/kernel';
import type { Dispute, paymentCaseDecider, RespondToDispute } from '@tender/refunds-disputes-domain';
import type { FastifyReply } from 'fastify';
import { disputeIn } from '../disputes/dispute-in';
import { UNRESOLVED_REFUSALS } from '../disputes/dispute-refusals';
import { disputes } from '../disputes/disputes.projection';
import { renderDispute } from '../disputes/render-dispute';
import { ownRow } from '../payment-case/own-row';
import { paymentCase } from '../payment-case/payment-case.aggregate';

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentCaseDecider, RespondToDispute>> = {
  ...UNRESOLVED_REFUSALS,
  invalid_dispute_state: [
    409,
    'invalid_dispute_state',
    'The dispute was responded to before, and is under review.',
  ],
};

@Controller()
export class RespondToDisputeHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(respondToDispute)
  async respond(
    @Caller() caller: RequestContext,
    @Param('id') dispute_id: string,
    @Body() { response, evidence }: RespondToDisputeBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DisputeAnswer> {
    const { runtime } = this;
    const { terms } = await ownRow<Dispute>(runtime, disputes, caller, dispute_id, reply);
    const { handled } = await paymentCase.request(runtime, caller, ({ merchant_id }) => {
      const responded_at = isoTime(runtime.clock.now());
      const told = { response, evidence: evidence ?? null, responded_at };
      const command = { type: 'RespondToDispute', dispute_id, merchant_id, response: told } as const;
      return { id: terms.payment_id, command };
    });
    const { state } = accepted(handled, REFUSALS, reply);
    return renderDispute(runtime.keyRing, disputeIn(state, dispute_id));
  }
}
