import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import {
  attemptOf,
  modeOf,
  settlementIds,
  transferCompleted,
  transferFailed,
  transferSigned,
} from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import type { CompleteSettlement, FailSettlement, SendSettlement } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { findSettlement } from '../settlements/settlements.projection';

const CONSUMER = 'payments.follow-settlement';

type News = Heard<typeof transferSigned | typeof transferCompleted | typeof transferFailed>;

/** A payment hears what became of the transfer that settles it. */
@Controller()
export class FollowSettlementReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(CONSUMER, [transferSigned, transferCompleted, transferFailed], { mixed: true })
  async react(@Payload() batch: readonly News[]): Promise<void> {
    const of_transfer = Map.groupBy(batch, ({ data }) => data.transfer.transfer_id);
    await Promise.all([...of_transfer].map(([id, news]) => this.followInOrder(id, news)));
  }

  private async followInOrder(transfer_id: string, all: readonly News[]): Promise<void> {
    const { id, attempt } = attemptOf(transfer_id) ?? {};
    const [first] = all;
    const mode = first?.mode as Mode;
    // A refund, or another transfer that is of no settlement.
    if (id === undefined || attempt === undefined || modeOf(settlementIds, id) !== mode) return;
    const row = await findSettlement(this.runtime, mode, id);
    invariant(row, `the settlement ${id} was requested before its transfer`);
    for (const news of all) await this.follow(row.terms.payment_id, attempt, news);
  }

  private async follow(payment_id: string, attempt: number, news: News): Promise<void> {
    const handled = await payment.handle(
      this.runtime,
      news.mode,
      payment_id,
      stepAfter(news, attempt),
      originOfEvent(news, CONSUMER),
    );
    const refusal = handled.ok ? null : handled.refusal;
    invariant(handled.ok, `the settlement of ${payment_id} refuses its transfer: ${refusal}`);
  }
}

function stepAfter(
  news: News,
  attempt: number,
): SendSettlement | CompleteSettlement | FailSettlement {
  const { transaction_signature } = news.data;
  if (news.type === transferFailed.type) {
    const { failure_reason: reason } = news.data;
    const failed_at = news.occurred_at;
    return { type: 'FailSettlement', attempt, reason, transaction_signature, failed_at };
  }
  const type = news.type === transferSigned.type ? 'SendSettlement' : 'CompleteSettlement';
  invariant(transaction_signature !== null, 'what was signed has a signature');
  return { type, attempt, transaction_signature };
}
