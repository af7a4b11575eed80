import { Controller, Inject } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { creditAllocated, newId, settlementIds, type ReceiptReason } from '@tender/contracts';
import type { Runtime } from '@tender/eventing';
import { originOfEvent, Reacts, RUNTIME, type Heard } from '@tender/http';
import { invariant, type Mode } from '@tender/kernel';
import { surplusOf, type Credit, type UnpayingCredit } from '@tender/payments-domain';
import { payment } from '../payment-details/payment.aggregate';
import { recordReceipt } from '../record-receipt/record-receipt';
import { WATCH_CONSUMER } from './watch-consumer';

type CreditHeard = Heard<typeof creditAllocated>;

/** What a credit that a payment refuses is recorded as. */
const REASON_OF: Readonly<Record<UnpayingCredit, ReceiptReason>> = {
  credit_wrong_mint: 'wrong_mint',
  credit_short: 'short',
  credit_late: 'late',
  credit_duplicate: 'duplicate',
};

const isUnpaying = (refusal: string): refusal is UnpayingCredit =>
  Object.hasOwn(REASON_OF, refusal);

@Controller()
export class ConfirmOnCreditReactor {
  constructor(@Inject(RUNTIME) private readonly runtime: Runtime) {}

  @Reacts(WATCH_CONSUMER, [creditAllocated])
  async react(@Payload() batch: readonly CreditHeard[]): Promise<void> {
    const of_payment = Map.groupBy(batch, ({ data }) => data.payment_id);
    await Promise.all([...of_payment.values()].map((events) => this.confirmInOrder(events)));
  }

  private async confirmInOrder(events: readonly CreditHeard[]): Promise<void> {
    for (const event of events) await this.confirm(event);
  }

  private async confirm(event: CreditHeard): Promise<void> {
    const { payment_id, ...fact } = event.data;
    const credit: Credit = { ...fact, amount: BigInt(fact.amount) };
    const mode = event.mode as Mode;
    const derived = this.runtime.keyRing.idBytes(`settlement|${payment_id}`);
    const settlement_id = newId(settlementIds, mode, derived);
    const handled = await payment.handle(
      this.runtime,
      mode,
      payment_id,
      { type: 'ConfirmPayment', credit, settlement_id },
      { ...originOfEvent(event, WATCH_CONSUMER), merchant_id: fact.merchant_id },
    );
    if (!handled.ok) {
      const { refusal } = handled;
      invariant(isUnpaying(refusal), `a credit of ${payment_id} is not refused with ${refusal}`);
      return this.record(event, REASON_OF[refusal], credit.amount);
    }
    const surplus = surplusOf(credit, handled.state);
    if (surplus > 0n) await this.record(event, 'surplus', surplus);
  }

  private async record(
    event: CreditHeard,
    reason: ReceiptReason,
    amount: bigint,
  ): Promise<void> {
    const mode = event.mode as Mode;
    const named = await payment.read(this.runtime, mode, event.data.payment_id, null);
    await recordReceipt(
      this.runtime,
      {
        ...event.data,
        mode,
        reason,
        amount: amount.toString(),
        account: null,
        shared_wallet: false,
        ...(named ? { wallet: named.terms.wallet_address } : {}),
        webhook_url: named?.terms.webhook_url ?? null,
      },
      originOfEvent(event, WATCH_CONSUMER),
    );
  }
}
