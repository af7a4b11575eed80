import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { moneyReceived } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import type { Mode } from '@tender/kernel';
import { payment } from '../payment-details/payment.aggregate';
import { recordReceipt } from './record-receipt';

const CONSUMER = 'payments.record-receipt';

@Controller()
export class RecordOnMoneyReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [moneyReceived])
  async react(@Payload() batch: readonly Heard<typeof moneyReceived>[]): Promise<void> {
    await Promise.all(batch.map((event) => this.record(event)));
  }

  private async record(event: Heard<typeof moneyReceived>): Promise<void> {
    const mode = event.mode as Mode;
    const { payment_id } = event.data;
    const named = payment_id ? await payment.read(this.runtime, mode, payment_id, null) : null;
    await recordReceipt(
      this.runtime,
      { ...event.data, mode, webhook_url: named?.terms.webhook_url ?? null },
      originOfEvent(event, CONSUMER),
    );
  }
}
