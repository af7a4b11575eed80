import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { paymentIntentConfirmed } from '@tender/contracts';
import { ownEvent, type Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import type { PaymentIntentConfirmed } from '@tender/payments-domain';
import { makeHeldPayment } from '../pay-payment-link/make-held-payment';
import { payment } from '../payment-details/payment.aggregate';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';

const CONSUMER = 'payments.make-confirmed-payment';

/** The process that has confirmed an intent may die before it makes the payment: none is left without its own. */
@Controller()
export class MakeConfirmedPaymentReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [paymentIntentConfirmed])
  async react(@Payload() batch: readonly Heard<typeof paymentIntentConfirmed>[]): Promise<void> {
    await Promise.all(batch.map((event) => this.make(event)));
  }

  private async make(event: Heard<typeof paymentIntentConfirmed>): Promise<void> {
    const mode = event.mode as Mode;
    const { payment_intent_id, payment_id } = event.data;
    if (await payment.load(this.runtime, mode, payment_id)) return;
    const history = await paymentIntent.history(this.runtime, mode, payment_intent_id);
    const stored = history.find(({ type }) => type === 'PaymentIntentConfirmed');
    invariant(stored, `${payment_intent_id} is confirmed`);
    const confirmed = ownEvent<PaymentIntentConfirmed>(stored);
    const held = { payment: confirmed.data.payment, actor: stored.metadata.actor };
    await makeHeldPayment(this.runtime, mode, held, event.correlation_id);
  }
}
