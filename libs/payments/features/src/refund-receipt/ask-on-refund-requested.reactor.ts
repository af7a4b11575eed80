import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { receiptRefundRequested, transferIdOf } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { askForTransfer, Reacts, RUNTIME, type Heard } from '@tender/http';

type Requested = Heard<typeof receiptRefundRequested>;

/** Has treasury send the money of a receipt back, once for each attempt. */
@Controller()
export class AskOnRefundRequestedReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts('payments.refund-receipts', [receiptRefundRequested])
  async react(@Payload() batch: readonly Requested[]): Promise<void> {
    await Promise.all(batch.map((event) => this.ask(event)));
  }

  private ask(event: Requested): Promise<void> {
    const { receipt_id, merchant_id, attempt, token: asset, amount, credit, to } = event.data;
    const transfer_id = transferIdOf(receipt_id, attempt);
    const transfer = { transfer_id, type: 'refund', merchant_id, asset, amount, credit, to } as const;
    return askForTransfer(this.runtime, event, transfer);
  }
}
