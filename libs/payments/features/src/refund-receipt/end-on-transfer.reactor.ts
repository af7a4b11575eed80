import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { attemptOf, receiptIds, transferCompleted, transferFailed } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant } from '@tender/kernel';
import type { CompleteReceiptRefund, FailReceiptRefund } from '@tender/payments-domain';
import { receipt } from '../receipts/receipt.aggregate';

const CONSUMER = 'payments.end-receipt-refunds';
const PREFIX = `${receiptIds.prefix}_`;

type Ended = Heard<typeof transferCompleted | typeof transferFailed>;

/** A receipt hears what became of the transfer of its money. */
@Controller()
export class EndOnTransferReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [transferCompleted, transferFailed])
  async react(@Payload() batch: readonly Ended[]): Promise<void> {
    await Promise.all(batch.map((event) => this.end(event)));
  }

  private async end(event: Ended): Promise<void> {
    const named = attemptOf(event.data.transfer.transfer_id);
    if (!named?.id.startsWith(PREFIX)) return;
    const handled = await receipt.handle(
      this.runtime,
      event.mode,
      named.id,
      commandOf(event, named.attempt),
      originOfEvent(event, CONSUMER),
    );
    invariant(handled.ok, `the end of the transfer for ${named.id} is not refused by it`);
  }
}

function commandOf(event: Ended, attempt: number): CompleteReceiptRefund | FailReceiptRefund {
  if (event.type === transferFailed.type) {
    const { failure_reason, transaction_signature } = event.data;
    return { type: 'FailReceiptRefund', attempt, failure_reason, transaction_signature };
  }
  const { transaction_signature } = event.data;
  const completed_at = event.occurred_at;
  return { type: 'CompleteReceiptRefund', attempt, transaction_signature, completed_at };
}
