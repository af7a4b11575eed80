import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  paymentConfirmed,
  paymentExpired,
  paymentFailed,
  settlementCompleted,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { FailPaymentIntent, PayPaymentIntent, SettlePaymentIntent } from '@tender/payments-domain';
import { paymentIntent } from '../payment-intents/payment-intent.aggregate';

const CONSUMER = 'payments.follow-intent-payment';

const FACTS = [paymentConfirmed, paymentExpired, paymentFailed, settlementCompleted] as const;
type Told = Heard<(typeof FACTS)[number]>;

/** An intent hears what became of its payment, and ends as it did; a manual one when its money is settled. */
@Controller()
export class FollowIntentPaymentReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, FACTS)
  async react(@Payload() batch: readonly Told[]): Promise<void> {
    await Promise.all(batch.map((event) => this.follow(event)));
  }

  private async follow(event: Told): Promise<void> {
    const { id: payment_id, payment_intent_id } = event.data.payment;
    if (payment_intent_id == null || isSettledByItself(event)) return;
    const handled = await paymentIntent.handle(
      this.runtime,
      event.mode,
      payment_intent_id,
      stepAfter(event),
      originOfEvent(event, CONSUMER),
    );
    invariant(handled.ok, `what became of ${payment_id} is not refused by its intent`);
  }
}

/** Straight to the merchant’s wallet: that it is confirmed has said all. */
const isSettledByItself = (event: Told): boolean =>
  event.type === settlementCompleted.type &&
  event.data.settlement.transaction_signature === event.data.payment.transaction_signature;

function stepAfter(event: Told): PayPaymentIntent | FailPaymentIntent | SettlePaymentIntent {
  const { id: payment_id, transaction_signature } = event.data.payment;
  const at = event.occurred_at;
  if (event.type === paymentConfirmed.type) {
    invariant(transaction_signature, 'a confirmed payment has a signature');
    return { type: 'PayPaymentIntent', payment_id, transaction_signature, paid_at: at };
  }
  if (event.type === settlementCompleted.type) {
    return { type: 'SettlePaymentIntent', payment_id, settled_at: at };
  }
  const failure_reason =
    event.type === paymentExpired.type ? 'payment_expired' : 'payment_failed';
  return { type: 'FailPaymentIntent', payment_id, failure_reason, failed_at: at };
}
