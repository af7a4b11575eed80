import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { paymentConfirmed, paymentExpired, paymentFailed } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { FailPaymentIntent, SucceedPaymentIntent } from '@tender/payments-domain';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';

const CONSUMER = 'payments.follow-intent-payment';

type Ended = Heard<typeof paymentConfirmed | typeof paymentExpired | typeof paymentFailed>;

/** An intent hears what became of its payment, and ends as it did. */
@Controller()
export class FollowIntentPaymentReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [paymentConfirmed, paymentExpired, paymentFailed])
  async react(@Payload() batch: readonly Ended[]): Promise<void> {
    await Promise.all(batch.map((event) => this.follow(event)));
  }

  private async follow(event: Ended): Promise<void> {
    const { id: payment_id, payment_intent_id } = event.data.payment;
    if (payment_intent_id == null) return;
    const handled = await paymentIntent.handle(
      this.runtime,
      event.mode,
      payment_intent_id,
      stepAfter(event),
      originOfEvent(event, CONSUMER),
    );
    invariant(handled.ok, `the end of ${payment_id} is not refused by its intent`);
  }
}

function stepAfter(event: Ended): SucceedPaymentIntent | FailPaymentIntent {
  const { id: payment_id, transaction_signature } = event.data.payment;
  const at = event.occurred_at;
  if (event.type === paymentConfirmed.type) {
    invariant(transaction_signature, 'a confirmed payment has a signature');
    return { type: 'SucceedPaymentIntent', payment_id, transaction_signature, succeeded_at: at };
  }
  const failure_reason =
    event.type === paymentExpired.type ? 'payment_expired' : 'payment_failed';
  return { type: 'FailPaymentIntent', payment_id, failure_reason, failed_at: at };
}
