import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { watchClosed } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant } from '@tender/kernel';
import { WATCH_CONSUMER } from '../confirm-payment/watch-consumer';
import { payment } from '../payment-details/payment.aggregate';

/** Payments have no expiry timer: the indexer has seen every block past the time, so no credit on time can come. */
@Controller()
export class ExpireOnCloseReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(WATCH_CONSUMER, [watchClosed])
  async react(@Payload() batch: readonly Heard<typeof watchClosed>[]): Promise<void> {
    await Promise.all(batch.map((event) => this.expire(event)));
  }

  private async expire(event: Heard<typeof watchClosed>): Promise<void> {
    const { payment_id, merchant_id, watermark } = event.data;
    const handled = await payment.handle(
      this.runtime,
      event.mode,
      payment_id,
      { type: 'ExpirePayment', watermark },
      { ...originOfEvent(event, WATCH_CONSUMER), merchant_id },
    );
    invariant(handled.ok, `the close of the watch of ${payment_id} is not refused`);
  }
}
