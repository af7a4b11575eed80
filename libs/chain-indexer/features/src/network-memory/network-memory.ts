import type { Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { heldCredits, type HeldCredit } from '../settle-credits/held-credit.record';
import { allMerchantWallets } from '../watch-merchants/merchant-wallet.record';
import { walletLookUps } from '../watch-merchants/wallet-look-up.record';
import { operatingWallets } from '../watch-operating-wallets/operating-wallet.record';
import { Silence } from './silence';
import { WatchBook } from './watch-book';
import { openWatches, type StoredWatch } from '../watch-payments/watch.record';
import { openSubmissions } from '../watch-submissions/submission.record';

/** Signatures that were looked up, and those of them and others that are on the chain. */
interface Settled {
  readonly looked_up: readonly string[];
  readonly landed: readonly string[];
}

/** Facts whose being heard money without a payment waits for. */
export type AwaitedFacts = 'payments' | 'transfers';

/** Wall times: every payment and every transfer out of an operating wallet recorded before is known, or parked. */
export type HeardTimes = Readonly<Record<AwaitedFacts, number>>;

/** What the reactors, the worker and the answers to other contexts share of one network while this process leads. */
export class NetworkMemory {
  readonly book = new WatchBook();
  readonly held = new Map<string, HeldCredit>();
  private readonly heard_ms: Record<AwaitedFacts, number> = { payments: 0, transfers: 0 };
  /**
   * `watermark_ms`: block time up to which the chain was seen whole, null before the first block.
   * `trouble`: null while the network is followed, else what stands in the way, in words that everyone may read.
   */
  readonly state: { watermark_ms: number | null; trouble: string | null } = {
    watermark_ms: null,
    trouble: null,
  };
  /** Every question to the chain goes through it. */
  readonly silence: Silence;
  private loading: Promise<void> | null = null;
  /** Blocks were read with this book, so they may name what it lacked. */
  private in_use = false;
  /** The records may hold what this process has not heard of. */
  private taken_over = false;

  constructor(
    private readonly runtime: Runtime,
    readonly mode: Mode,
  ) {
    this.silence = new Silence(runtime.clock);
  }

  /** As they are now. */
  get heard_times(): HeardTimes {
    return { ...this.heard_ms };
  }

  /** Of the newest money that is held until these facts recorded before it are known; null: none is. */
  awaits(facts: AwaitedFacts): number | null {
    let newest_ms: number | null = null;
    for (const { seen_wall_ms } of this.held.values()) {
      if (seen_wall_ms > this.heard_ms[facts]) newest_ms = Math.max(newest_ms ?? 0, seen_wall_ms);
    }
    return newest_ms;
  }

  /** What stands in the way of following the network, for everyone; null while it is followed. */
  get hindrance(): string | null {
    const { trouble } = this.state;
    return trouble ?? (this.silence.too_long ? 'the chain has not answered for 10 seconds' : null);
  }

  /** Resolves when the book holds what was recorded before this term began. */
  loaded(): Promise<void> {
    this.loading ??= this.addStored().catch((error: unknown) => {
      this.loading = null;
      throw error;
    });
    return this.loading;
  }

  /** `wall_ms` may come from a clock that is ahead: what is recorded after now was not heard of. */
  heard(facts: AwaitedFacts, wall_ms: number): void {
    const known_ms = Math.min(wall_ms, this.runtime.clock.wall());
    this.heard_ms[facts] = Math.max(this.heard_ms[facts], known_ms);
  }

  /**
   * Adds what the records hold: this process reads blocks from now on. Nothing is taken out, since a batch may be
   * on its way to the records.
   */
  async reload(): Promise<void> {
    await this.addStored();
    this.in_use = true;
  }

  /** From now on no other process adds to the records; one that led before may have, until now. */
  takeOver(): void {
    this.taken_over = true;
  }

  /**
   * Adds what another process recorded after this one had begun to read blocks: whether one of those blocks names
   * such a payment, only the chain tells.
   */
  async addTakenOver(): Promise<void> {
    if (!this.taken_over) return;
    this.taken_over = false;
    try {
      await this.addRecorded((watch) => this.mayBeMissed(watch));
    } catch (error) {
      this.taken_over = true;
      throw error;
    }
  }

  private addStored(): Promise<void> {
    return this.addRecorded((watch) => watch.lookup_due || this.mayBeMissed(watch));
  }

  /** The process that wrote it did not read the blocks that were read here. */
  private mayBeMissed({ reference }: StoredWatch): boolean {
    return this.in_use && this.book.watch(reference) === undefined;
  }

  private async addRecorded(toLookUp: (watch: StoredWatch) => boolean): Promise<void> {
    const { readModels } = this.runtime;
    for (const watch of await openWatches(readModels, this.mode)) {
      const look_up = toLookUp(watch);
      this.book.add(watch);
      if (look_up) this.book.lookUps.set(watch.reference, null);
    }
    for (const { merchant_id, wallet, accounts } of await allMerchantWallets(readModels)) {
      this.book.wallets.addMerchant(merchant_id, wallet, accounts[this.mode]);
    }
    for (const { merchant_id, wallet, accounts } of await operatingWallets(readModels, this.mode)) {
      this.book.wallets.addOperating(merchant_id, wallet, accounts);
    }
    for (const address of await walletLookUps(readModels, this.mode)) {
      if (!this.book.lookUps.has(address)) this.book.lookUps.set(address, null);
    }
    for (const submission of await openSubmissions(readModels, this.mode)) {
      this.book.submissions.add(submission);
    }
    for (const credit of await heldCredits(readModels, this.mode)) {
      this.held.set(credit.credit_id, credit);
    }
  }

  /** Brings the memory up to what a pass has written to the records. */
  update(
    held: readonly HeldCredit[],
    reported: readonly string[],
    looked_up: readonly string[],
    ended: readonly string[],
    submissions: Settled,
  ): void {
    for (const credit of held) this.held.set(credit.credit_id, credit);
    for (const credit_id of reported) this.held.delete(credit_id);
    for (const key of looked_up) this.book.lookUps.delete(key);
    for (const reference of ended) this.book.remove(reference);
    const { submissions: book } = this.book;
    for (const signature of submissions.looked_up) book.lookUps.delete(signature);
    for (const signature of submissions.landed) book.remove(signature);
  }
}
