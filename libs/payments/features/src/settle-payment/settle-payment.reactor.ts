import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  newId,
  paymentIntentCanceled,
  paymentIntentCaptured,
  settlementIds,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import type { CancelHold, RequestSettlement } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';

const CONSUMER = 'payments.settle-payment';

type Decided = Heard<typeof paymentIntentCaptured | typeof paymentIntentCanceled>;

/** What was decided on the stream of an intent happens to its held money: it is settled, or goes back. */
@Controller()
export class SettlePaymentReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [paymentIntentCaptured, paymentIntentCanceled])
  async react(@Payload() batch: readonly Decided[]): Promise<void> {
    await Promise.all(batch.map((event) => this.follow(event)));
  }

  private async follow(event: Decided): Promise<void> {
    const payment_id =
      event.type === paymentIntentCaptured.type
        ? event.data.payment_id
        : event.data.payment_intent.payment_id;
    // It was not confirmed: there is no money.
    if (payment_id === null) return;
    const command =
      event.type === paymentIntentCaptured.type
        ? this.settlement(event, payment_id)
        : await this.cancellation(event);
    const handled = await payment.handle(
      this.runtime,
      event.mode,
      payment_id,
      command,
      originOfEvent(event, CONSUMER),
    );
    invariant(handled.ok, `the hold of ${payment_id} ends as its intent has decided`);
  }

  private settlement(event: Decided, payment_id: string): RequestSettlement {
    const derived = this.runtime.keyRing.idBytes(`settlement|${payment_id}`);
    const settlement_id = newId(settlementIds, event.mode as Mode, derived);
    return { type: 'RequestSettlement', settlement_id, requested_at: event.occurred_at };
  }

  private async cancellation(event: Heard<typeof paymentIntentCanceled>): Promise<CancelHold> {
    const { id } = event.data.payment_intent;
    const intent = await paymentIntent.load(this.runtime, event.mode, id);
    const canceled_by = intent?.hold?.canceled_by;
    invariant(canceled_by, `${id} says who has canceled its hold`);
    return { type: 'CancelHold', canceled_by, canceled_at: event.occurred_at };
  }
}
