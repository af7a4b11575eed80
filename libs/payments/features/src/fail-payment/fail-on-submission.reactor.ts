import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { submissionFailed } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant } from '@tender/kernel';
import { WATCH_CONSUMER } from '../confirm-payment/watch-consumer';
import { payment } from '../payment-details/payment.aggregate';

/** What the bound wallet signed is on the chain and has not paid: the payment has failed (specification §2.7). */
@Controller()
export class FailOnSubmissionReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(WATCH_CONSUMER, [submissionFailed])
  async react(@Payload() batch: readonly Heard<typeof submissionFailed>[]): Promise<void> {
    await Promise.all(batch.map((event) => this.fail(event)));
  }

  private async fail(event: Heard<typeof submissionFailed>): Promise<void> {
    const { payment_id, merchant_id, ...failed } = event.data;
    const handled = await payment.handle(
      this.runtime,
      event.mode,
      payment_id,
      { type: 'FailPayment', ...failed },
      { ...originOfEvent(event, WATCH_CONSUMER), merchant_id },
    );
    invariant(handled.ok, `the failed submission of ${payment_id} is not refused`);
  }
}
