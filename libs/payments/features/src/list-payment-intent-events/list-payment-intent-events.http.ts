import { Controller, Inject, Param } from '@nestjs/common';
import {
  eventIdOf,
  listPaymentIntentEvents,
  webhookFacts,
  type PaymentIntentEventAnswer,
  type PaymentIntentSnapshot,
  type RequestContext,
} from '@tender/contracts';
import { publisherOf, type Runtime, type StoredEvent } from '@tender/eventing';
import { Caller, own, RUNTIME, Serves } from '@tender/http';
import type { Mode } from '@tender/kernel';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';
import { publishPayments } from '../publish-payments';

const publishes = { categories: paymentIntent.categories, publish: publishPayments };
const publicOf = publisherOf([{ name: 'payments', schema: 'payments', publishes }]);
const webhookOf = new Map<string, (typeof webhookFacts)[number]['webhook']>(
  webhookFacts.map(({ type, webhook }) => [type, webhook]),
);

@Controller()
export class ListPaymentIntentEventsHttp {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  /** What its webhooks tell, under their ids, whether or not there is a URL to send them to. */
  @Serves(listPaymentIntentEvents)
  async list(
    @Caller() caller: RequestContext,
    @Param('id') id: string,
  ): Promise<PaymentIntentEventAnswer[]> {
    await own(paymentIntent, this.runtime, caller, id);
    const history = await paymentIntent.history(this.runtime, caller.mode, id);
    return history.flatMap((event) => this.shown(caller.mode, id, event));
  }

  private shown(
    mode: Mode,
    payment_intent_id: string,
    event: StoredEvent,
  ): PaymentIntentEventAnswer[] {
    const told = publicOf(event);
    const webhook = told && webhookOf.get(told.type);
    if (!webhook) return [];
    const { payment_intent } = webhook.tell(told.data as object).content;
    return [
      {
        id: eventIdOf(this.runtime.keyRing, mode, told.id),
        payment_intent_id,
        event_type: webhook.name,
        data: payment_intent as PaymentIntentSnapshot,
        created_at: told.occurred_at,
      },
    ];
  }
}
