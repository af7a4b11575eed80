import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { refundInitiated, refundTransferId } from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { askForTransfer, Reacts, RUNTIME, type Heard } from '@tender/http';

const CONSUMER = 'refunds-disputes.send-refunds';

type Initiated = Heard<typeof refundInitiated>;

/** The money of a refund leaves the operating wallet, once, however often this is heard. */
@Controller()
export class SendRefundReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [refundInitiated])
  async react(@Payload() batch: readonly Initiated[]): Promise<void> {
    await aFewAtATime(batch, (event) => this.send(event));
  }

  private send(event: Initiated): Promise<void> {
    const { refund, paid_by } = event.data;
    return askForTransfer(this.runtime, event, {
      transfer_id: refundTransferId(refund.payment_id, refund.id),
      type: 'refund',
      merchant_id: refund.merchant_id,
      asset: refund.token,
      amount: refund.token_amount,
      credit: paid_by,
      to: refund.customer_wallet,
    });
  }
}
