import { Controller, Inject, Param, Res } from '@nestjs/common';
import {
  capturePaymentIntent,
  type PaymentIntentAnswer,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { accepted, Caller, own, RUNTIME, Serves } from '@tender/http';
import { isoTime } from '@tender/kernel';
import type { FastifyReply } from 'fastify';
import { CAPTURE_REFUSALS } from '../payment-intents/intent-refusals';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { renderPaymentIntent } from '../payment-intents/render-payment-intent';

@Controller()
export class CapturePaymentIntentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** The intent stays `processing` until its settlement is final. */
  @Serves(capturePaymentIntent)
  async capture(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<PaymentIntentAnswer> {
    await own(paymentIntent, this.runtime, caller, id);
    const { handled } = await paymentIntent.request(this.runtime, caller, () => {
      const now = isoTime(this.runtime.clock.now());
      return { id, command: { type: 'CapturePaymentIntent', now } as const };
    });
    return renderPaymentIntent(accepted(handled, CAPTURE_REFUSALS, reply).state);
  }
}
