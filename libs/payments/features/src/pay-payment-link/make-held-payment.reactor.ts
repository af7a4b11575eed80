import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { linkUseHeld } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import { payment } from '../payment-details/payment.aggregate';
import { heldPayment } from './held-payment';
import { makeHeldPayment } from './make-held-payment';

const CONSUMER = 'payments.make-held-payment';

/** The process that has taken a use of a link may die before it makes the payment: no hold is left without one. */
@Controller()
export class MakeHeldPaymentReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [linkUseHeld])
  async react(@Payload() batch: readonly Heard<typeof linkUseHeld>[]): Promise<void> {
    await Promise.all(batch.map((event) => this.make(event)));
  }

  private async make(event: Heard<typeof linkUseHeld>): Promise<void> {
    const mode = event.mode as Mode;
    const { payment_link_id, payment_id } = event.data;
    if (await payment.load(this.runtime, mode, payment_id)) return;
    const held = await heldPayment(this.runtime, mode, payment_link_id, payment_id);
    invariant(held, `the link ${payment_link_id} holds a use for ${payment_id}`);
    await makeHeldPayment(this.runtime, mode, held, event.correlation_id);
  }
}
