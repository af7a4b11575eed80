import { Body, Controller, Inject, Res } from '@nestjs/common';
import {
  createPaymentIntent,
  type CreatePaymentIntentAnswer,
  type CreatePaymentIntentBody,
  type RequestContext,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import {
  accepted,
  Caller,
  RUNTIME,
  Serves,
  type RefusalAnswers,
} from '@tender/http';
import type { RefusalOf } from '@tender/kernel';
import type { CreatePaymentIntent, paymentIntentDecider } from '@tender/payments-domain';
import type { FastifyReply } from 'fastify';
import { AMOUNT_TOO_LARGE, NOT_NEW, walletNotReady } from '../create-payment/create-refusals';
import { clientSecretOf } from '../payment-intents/client-secret';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { renderPaymentIntent } from '../payment-intents/render-payment-intent';
import { newPaymentIntent } from './new-payment-intent';

const REFUSALS: RefusalAnswers<RefusalOf<typeof paymentIntentDecider, CreatePaymentIntent>> = {
  amount_too_large: AMOUNT_TOO_LARGE,
  payment_intent_exists: NOT_NEW,
};

@Controller()
export class CreatePaymentIntentHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** One append; nothing is priced or screened before it is confirmed. */
  @Serves(createPaymentIntent)
  async create(
    @Caller() caller: RequestContext,
    @Body() body: CreatePaymentIntentBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CreatePaymentIntentAnswer> {
    if (caller.wallet === null) throw walletNotReady();
    const { handled, asked } = await paymentIntent.request(this.runtime, caller, (asked) => {
      const intent = newPaymentIntent(this.runtime, asked, body);
      const amount_max = BigInt(asked.amount_max);
      return {
        id: intent.terms.payment_intent_id,
        command: { type: 'CreatePaymentIntent', intent, amount_max } as const,
      };
    });
    const { state } = accepted(handled, REFUSALS, reply);
    const client_secret = clientSecretOf(this.runtime.keyRing, asked.command_id, state.terms);
    return { ...renderPaymentIntent(state), client_secret };
  }
}
