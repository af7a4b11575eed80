import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { settlementRequested, transferIdOf } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { askForTransfer, Reacts, RUNTIME, type Heard } from '@tender/http';

const CONSUMER = 'payments.send-settlement';

/** Has treasury send what is to be settled, once for each attempt. */
@Controller()
export class SendSettlementReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [settlementRequested])
  async react(@Payload() batch: readonly Heard<typeof settlementRequested>[]): Promise<void> {
    await Promise.all(batch.map((event) => this.ask(event)));
  }

  private ask(event: Heard<typeof settlementRequested>): Promise<void> {
    const { settlement_id, attempt, merchant_id, token: asset, amount } = event.data;
    const transfer_id = transferIdOf(settlement_id, attempt);
    return askForTransfer(this.runtime, event, {
      ...{ transfer_id, type: 'settlement', merchant_id, asset, amount },
      ...{ credit: null, to: null },
    });
  }
}
