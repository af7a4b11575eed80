import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { holdCanceled, newId, uuidIds } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, isoTime, type Mode } from '@tender/kernel';
import { paymentCase } from '../payment-case/payment-case.aggregate';
import { refundedPayment } from '../payment-case/refunded-payment';
import { subjectsOf } from '../refunds/new-refund';

const CONSUMER = 'refunds-disputes.refund-canceled-holds';

type Canceled = Heard<typeof holdCanceled>;

/** The money of a canceled hold goes back whole, once: the id of its refund derives from the payment. */
@Controller()
export class RefundCanceledHoldReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [holdCanceled])
  async react(@Payload() batch: readonly Canceled[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.refund(event));
  }

  private async refund(event: Canceled): Promise<void> {
    const { keyRing, clock, log } = this.runtime;
    const { id: payment_id, merchant_id } = event.data.payment;
    const mode = event.mode as Mode;
    const asker = { merchant_id, mode, correlation_id: event.correlation_id };
    const payment = await refundedPayment(this.runtime, asker, payment_id);
    if (payment.customer_wallet === null) {
      log.error({ payment_id, mode }, 'the money of a canceled hold stays: its transaction tells no payer');
      return;
    }
    const wish = {
      refund_id: newId(uuidIds, mode, keyRing.idBytes(`refund|hold-canceled|${payment_id}`)),
      amount_usd_cents: payment.amount_usd_cents,
      ...{ reason: null, metadata: {}, dispute_id: null, of_canceled_hold: true },
      initiated_by: event.data.canceled_by,
      now: isoTime(clock.now()),
    };
    const subject_ids = subjectsOf(payment);
    const origin = { ...originOfEvent(event, CONSUMER), merchant_id, subject_ids };
    const command = { type: 'InitiateRefund', payment, wish } as const;
    const handled = await paymentCase.handle(this.runtime, mode, payment_id, command, origin);
    invariant(handled.ok, `the canceled hold of ${payment_id} is refunded`);
  }
}
