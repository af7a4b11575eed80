import { Controller, Inject } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import {
  paymentConfirmed,
  paymentCreated,
  paymentExpired,
  paymentFailed,
  transactionSubmitted,
} from '@tender/contracts';
import type { OfLeader, Runtime } from '@tender/eventing';
import { Reacts, RUNTIME, type Delivery, type Heard } from '@tender/http';
import { timeOf, type Mode } from '@tender/kernel';
import { CHAIN_INDEXER, type ChainIndexer } from '../chain-indexer';
import type { NetworkMemory } from '../network-memory/network-memory';
import { modeOf } from './mode-of';
import { WATCH_PAYMENTS } from './watch-payments.consumer';
import {
  endSubmissionsOf,
  insertSubmissions,
  type StoredSubmission,
} from '../watch-submissions/submission.record';
import { insertWatches, endWatches, type EndedWatch, type WatchRecord } from './watch.record';

const ENDS = [paymentConfirmed, paymentFailed, paymentExpired] as const;
const FACTS = [paymentCreated, transactionSubmitted, ...ENDS] as const;
type Fact = Heard<(typeof FACTS)[number]>;
type PaymentEvent = Exclude<Fact, Heard<typeof transactionSubmitted>>;

/** A created payment is watched, and what is handed in for it; one that ended elsewhere is kept no longer. */
@Controller()
export class WatchPaymentsReactor {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(CHAIN_INDEXER) private readonly leading: OfLeader<ChainIndexer>,
  ) {}

  @Reacts(WATCH_PAYMENTS, FACTS, { mixed: true })
  async react(@Payload() batch: readonly Fact[], @Ctx() delivery: Delivery): Promise<void> {
    const networks = this.leading.now();
    const watches: WatchRecord[] = [];
    const ended: EndedWatch[] = [];
    const ended_payments: string[] = [];
    const submissions: (StoredSubmission & { readonly mode: Mode })[] = [];
    for (const event of batch) {
      const mode = modeOf(event);
      const { memory } = networks[mode];
      await memory.loaded();
      if (event.type === transactionSubmitted.type) {
        const submission = submissionOf(event);
        memory.book.submissions.add(submission);
        submissions.push({ ...submission, mode });
        continue;
      }
      const { payment } = event.data;
      if (event.type === paymentCreated.type) {
        watches.push(this.watchOf(event, memory));
      } else {
        const state = payment.status === 'confirmed' ? 'paid' : 'closed';
        ended.push({ reference: payment.reference, state });
        memory.book.remove(payment.reference);
        memory.book.submissions.removeOf(payment.id);
        ended_payments.push(payment.id);
      }
    }
    await insertWatches(delivery.tx, watches);
    await endWatches(delivery.tx, ended);
    await insertSubmissions(delivery.tx, submissions);
    await endSubmissionsOf(delivery.tx, ended_payments);
  }

  /** From here on the indexer searches every block for it; whether an earlier one may name it is found out at once. */
  private watchOf(event: PaymentEvent, { book, mode }: NetworkMemory): WatchRecord {
    const { payment } = event.data;
    const { payment_token: token, wallet_address: wallet, reference } = payment;
    const account = token === 'SOL' ? wallet : this.runtime.chains[mode].tokenAccount(wallet, token);
    const terms = {
      payment_id: payment.id,
      merchant_id: payment.merchant_id,
      reference,
      wallet,
      account,
      token,
      mint: payment.token_mint,
      due: BigInt(payment.token_amount),
      expires_at_ms: timeOf(payment.expires_at),
      state: 'open',
      correlation_id: event.correlation_id,
    } as const;
    book.add(terms);
    const wall_ms = this.runtime.clock.wall();
    const slots = book.recent.slotsNaming(reference, timeOf(event.recorded_at), wall_ms);
    const lookup_due = slots === null || slots.length > 0;
    if (lookup_due) book.lookUps.set(reference, slots);
    return { ...terms, mode, created_at: payment.created_at, lookup_due };
  }
}

function submissionOf(event: Heard<typeof transactionSubmitted>): StoredSubmission {
  const { data, correlation_id } = event;
  const { transaction_signature: signature, expires_at, ...rest } = data;
  return { ...rest, signature, expires_at_ms: timeOf(expires_at), correlation_id };
}
