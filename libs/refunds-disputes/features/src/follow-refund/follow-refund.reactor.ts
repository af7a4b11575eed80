import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  refundOfTransfer,
  transferCompleted,
  transferFailed,
  transferSigned,
} from '@tender/contracts';
import { aFewAtATime, type Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type CommandOf, type Mode } from '@tender/kernel';
import type { paymentCaseDecider } from '@tender/refunds-disputes-domain';
import { paymentCase } from '../payment-case/payment-case.aggregate';

const CONSUMER = 'refunds-disputes.follow-refunds';

type Told = Heard<typeof transferSigned | typeof transferCompleted | typeof transferFailed>;
type Command = CommandOf<typeof paymentCaseDecider>;

/** What becomes of the transfer becomes of its refund. Transfers for other things cost nothing. */
@Controller()
export class FollowRefundReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [transferSigned, transferCompleted, transferFailed], { mixed: true })
  async react(@Payload() batch: readonly Told[]): Promise<void> {
    const of_refunds = batch.flatMap((event) => {
      const named = refundOfTransfer(event.data.transfer.transfer_id);
      return named === null ? [] : [{ event, ...named }];
    });
    const by_payment = Map.groupBy(of_refunds, ({ payment_id }) => payment_id);
    await aFewAtATime([...by_payment], async ([payment_id, told]) => {
      for (const { event, refund_id } of told) await this.follow(event, payment_id, refund_id);
    });
  }

  private async follow(event: Told, payment_id: string, refund_id: string): Promise<void> {
    const handled = await paymentCase.handle(
      this.runtime,
      event.mode as Mode,
      payment_id,
      commandOf(event, refund_id),
      originOfEvent(event, CONSUMER),
    );
    const says = handled.ok ? '' : handled.refusal;
    invariant(handled.ok, `${event.type} of refund ${refund_id} follows what was told before: ${says}`);
  }
}

function commandOf(event: Told, refund_id: string): Command {
  const { occurred_at: now } = event;
  switch (event.type) {
    case 'treasury.transfer-signed.v1': {
      const { transaction_signature } = event.data;
      return { type: 'SendRefund', refund_id, transaction_signature };
    }
    case 'treasury.transfer-completed.v1': {
      const { transaction_signature } = event.data;
      return { type: 'CompleteRefund', refund_id, transaction_signature, now };
    }
    case 'treasury.transfer-failed.v1': {
      const { failure_reason: reason, transaction_signature } = event.data;
      return { type: 'FailRefund', refund_id, reason, transaction_signature, now };
    }
  }
}
