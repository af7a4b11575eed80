import {
  creditId,
  creditsOf,
  faultOfSubmission,
  namedWatches,
  noticesOf,
  type Credit,
  type Notice,
} from '@tender/chain-indexer-domain';
import type { ChainTransaction, Runtime } from '@tender/eventing';
import { isoTime, type Mode } from '@tender/kernel';
import type { KeptWatch, WatchBook } from '../network-memory/watch-book';
import { watchesByReference } from '../watch-payments/watch.record';
import type { Cause, ChainStreams } from './chain-streams';
import type { HeldCredit } from './held-credit.record';

/** What settling changed, for the records that move with the cursor. */
export interface Outcome {
  /** References of watches, by payment. */
  readonly paid: Map<string, string>;
  readonly held: Map<string, HeldCredit>;
  /** Signatures that were handed in and are on the chain. */
  readonly landed: Set<string>;
}
export const newOutcome = (): Outcome => ({ paid: new Map(), held: new Map(), landed: new Set() });

/**
 * Takes transactions in chain order and lets each credit find its payment. Those that name the same
 * watch wait for each other; the rest go at once. May be repeated with the same result.
 */
export class SettleTransactions {
  constructor(
    private readonly runtime: Runtime,
    private readonly mode: Mode,
    private readonly book: WatchBook,
    private readonly streams: ChainStreams,
  ) {}

  async run(transactions: readonly ChainTransaction[], outcome: Outcome): Promise<void> {
    if (transactions.length === 0) return;
    const watches = await this.watchesNamedBy(transactions);
    // Ordered by watch, so that which of two credits pays does not depend on which append was faster.
    const tails = new Map<string, Promise<void>>();
    await Promise.all(
      transactions.map((transaction) => {
        const named = namedWatches(transaction, (key) => watches.get(key));
        const earlier = named.map(({ reference }) => tails.get(reference));
        const settled = Promise.all(earlier).then(() => this.settle(transaction, watches, outcome));
        for (const { reference } of named) tails.set(reference, settled);
        return settled;
      }),
    );
  }

  /** Rows know the state and the ended watches; the book those whose row is being committed. */
  private async watchesNamedBy(transactions: readonly ChainTransaction[]) {
    const keys = [...new Set(transactions.flatMap(({ account_keys }) => account_keys))];
    const watches = new Map<string, KeptWatch>();
    for (const key of keys) {
      const open = this.book.watch(key);
      if (open) watches.set(key, open);
    }
    for (const row of await watchesByReference(this.runtime.readModels, this.mode, keys)) {
      watches.set(row.reference, row);
    }
    return watches;
  }

  private async settle(
    transaction: ChainTransaction,
    watches: Map<string, KeptWatch>,
    outcome: Outcome,
  ): Promise<void> {
    const named = namedWatches(transaction, (key) => watches.get(key)).map((watch): KeptWatch =>
      outcome.paid.has(watch.payment_id) ? { ...watch, state: 'paid' } : watch,
    );
    const credits = creditsOf(
      transaction,
      (wallet) =>
        this.book.wallets.merchantsOf(wallet).length > 0 ||
        named.some((watch) => watch.wallet === wallet),
    );
    const paid_now: string[] = [];
    for (const credit of credits) {
      const candidates = named
        .filter((watch) => watch.wallet === credit.wallet)
        .map((watch): KeptWatch =>
          outcome.paid.has(watch.payment_id) ? { ...watch, state: 'paid' } : watch,
        );
      const isSender = (key: string) => key !== credit.wallet && this.book.wallets.isOperating(key);
      const of_operating_wallet = transaction.account_keys.some(isSender);
      const paid = await this.settleCredit(credit, candidates, outcome, of_operating_wallet);
      if (paid !== null) paid_now.push(paid);
    }
    for (const notice of noticesOf(transaction, named, credits)) {
      await this.takeNotice(transaction, notice);
    }
    await this.settleSubmission(transaction, paid_now, outcome);
  }

  /** What was handed in has landed: without the due effect it ends its payment. */
  private async settleSubmission(
    transaction: ChainTransaction,
    paid_now: readonly string[],
    outcome: Outcome,
  ): Promise<void> {
    const { signature, slot } = transaction;
    const submission = this.book.submissions.get(signature);
    if (!submission) return;
    outcome.landed.add(signature);
    const { payment_id, merchant_id, customer_wallet, correlation_id } = submission;
    const reason = faultOfSubmission(submission, transaction, paid_now.includes(payment_id));
    if (reason === null) return;
    const failed = {
      ...{ payment_id, merchant_id, customer_wallet, reason },
      transaction_signature: signature,
      slot,
    };
    const cause = { command_id: `submission:${signature}`, merchant_id, correlation_id };
    await this.streams.watch(payment_id, { type: 'FailSubmission', failed }, cause);
  }

  /** Answers the payment that the credit pays, now or when it was read before. */
  private async settleCredit(
    credit: Credit,
    candidates: readonly KeptWatch[],
    outcome: Outcome,
    of_operating_wallet: boolean,
  ): Promise<string | null> {
    const token = this.tokenOf(credit.mint);
    // Tokens that anyone can make and send are no money, unless they name a payment.
    if (token === null && candidates.length === 0) return null;
    const id = creditId(credit);
    const seen_wall_ms = this.runtime.clock.wall();
    const [first] = candidates;
    const names = candidates.map(({ payment_id }) => payment_id).join(',');
    const state = await this.streams.credit(
      id,
      { type: 'SettleCredit', credit, candidates, token, block_time: isoTime(credit.block_time * 1000) },
      {
        command_id: `settle:${id}:${names}`,
        merchant_id: first?.merchant_id ?? null,
        correlation_id: first?.correlation_id ?? null,
      },
    );
    if (state.status === 'held') {
      const { wallet } = credit;
      outcome.held.set(id, { credit_id: id, wallet, seen_wall_ms, of_operating_wallet });
    }
    if (state.status !== 'allocated' && state.status !== 'named') return null;

    const { payment_id, merchant_id } = state.money;
    if (payment_id === null) return null;
    const watch = candidates.find((candidate) => candidate.payment_id === payment_id);
    const cause: Cause = {
      command_id: `credit:${id}`,
      merchant_id,
      correlation_id: watch?.correlation_id ?? null,
    };
    if (state.status === 'allocated') {
      const { account, wallet } = credit;
      const taken = { type: 'TakeCredit', money: state.money, account, wallet } as const;
      await this.streams.watch(payment_id, taken, cause);
      if (watch) outcome.paid.set(payment_id, watch.reference);
      return payment_id;
    }
    await this.streams.watch(payment_id, { type: 'TakeReceipt', money: state.money }, cause);
    return null;
  }

  private async takeNotice(
    transaction: ChainTransaction,
    { watch, reason, from_wallet }: Notice<KeptWatch>,
  ): Promise<void> {
    const { payment_id, merchant_id, correlation_id, token, mint, account } = watch;
    await this.streams.watch(
      payment_id,
      {
        type: 'TakeReceipt',
        money: {
          merchant_id,
          payment_id,
          reason,
          token,
          token_mint: mint,
          account,
          amount: '0',
          transaction_signature: transaction.signature,
          slot: transaction.slot,
          from_wallet,
          block_time: isoTime(transaction.block_time * 1000),
          shared_wallet: false,
        },
      },
      { command_id: `notice:${transaction.signature}`, merchant_id, correlation_id },
    );
  }

  private tokenOf(mint: string | null): string | null {
    if (mint === null) return 'SOL';
    const { mints } = this.runtime.chains[this.mode];
    if (mint === mints.USDC) return 'USDC';
    return mint === mints.USDT ? 'USDT' : null;
  }
}
