import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  cancelPaymentIntent,
  type PaymentIntentAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, own, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { STEP_REFUSALS } from '../payment-intents/intent-refusals';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { renderPaymentIntent } from '../payment-intents/render-payment-intent';

@Controller()
export class CancelPaymentIntentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Serves(cancelPaymentIntent)
  async cancel(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentIntentAnswer> {
    await own(paymentIntent, this.runtime, caller, id);
    const { handled } = await paymentIntent.request(this.runtime, caller, () => {
      const now = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'CancelPaymentIntent', now } as const };
    });
    return renderPaymentIntent(accepted(handled, STEP_REFUSALS, reply).state);
  }
}
