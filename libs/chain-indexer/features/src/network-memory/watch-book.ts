import type { Watch } from '@tender/chain-indexer-domain';
import { KeyFilter, printOf } from './key-filter';
import { RecentKeys } from './recent-keys';
import { SubmissionBook } from './submission-book';
import { WalletBook } from './wallet-book';

/** With the request that led to it: all that its money causes carries the same id. */
export interface KeptWatch extends Watch {
  readonly correlation_id: string;
}

/**
 * One network's open watches and the addresses of merchants in memory: the set that every key of every block is
 * looked up in. Its cost per block hardly grows with the number of pending payments
 * (`npm run bench -- --only indexer-block`).
 */
export class WatchBook {
  /**
   * References of watches and addresses of new wallets to look up, since blocks that were read before they came may
   * name them: in these slots, or null when the chain has to be asked where.
   */
  readonly lookUps = new Map<string, readonly number[] | null>();
  readonly recent = new RecentKeys();
  private readonly open = new Map<string, KeptWatch>();
  /** Open watches by the second of their expiry. */
  private readonly expiries = new Map<number, Set<KeptWatch>>();
  /** Over the references of open watches, the addresses of wallets, and the signatures of submissions. */
  private readonly filter = new KeyFilter();
  readonly wallets = new WalletBook(this.filter);
  readonly submissions = new SubmissionBook(this.filter);
  /** No open watch expires in an earlier second. */
  private soonest = Number.POSITIVE_INFINITY;

  /** Whether a transaction that touches the key may concern a merchant. */
  knows(key: string): boolean {
    if (!this.filter.mayHold(printOf(key))) return false;
    return this.open.has(key) || this.wallets.has(key) || this.submissions.has(key);
  }

  watch(reference: string): KeptWatch | undefined {
    return this.open.get(reference);
  }

  /** Something has to be looked up before the book is complete. */
  get looksUp(): boolean {
    return this.lookUps.size + this.submissions.lookUps.size > 0;
  }

  get pending(): number {
    return this.open.size;
  }

  /** From now on `knows` answers for it; ask `recent` right after, in the same turn. */
  add(watch: KeptWatch): void {
    if (this.open.has(watch.reference)) return;
    const shared = this.withSharedText(watch);
    this.open.set(watch.reference, shared);
    this.filter.add(printOf(watch.reference));
    const second = secondOf(watch.expires_at_ms);
    this.soonest = Math.min(this.soonest, second);
    const expiring = this.expiries.get(second);
    if (expiring) expiring.add(shared);
    else this.expiries.set(second, new Set([shared]));
  }

  remove(reference: string): void {
    const watch = this.open.get(reference);
    if (!watch) return;
    this.open.delete(reference);
    this.filter.remove(printOf(reference));
    this.lookUps.delete(reference);
    const second = secondOf(watch.expires_at_ms);
    const expiring = this.expiries.get(second);
    expiring?.delete(watch);
    if (expiring?.size === 0) this.expiries.delete(second);
  }

  /** Open watches that expired before a block of this time; those that are to be looked up are left out. */
  expiredBy(watermark_ms: number): KeptWatch[] {
    const expired: KeptWatch[] = [];
    if (this.soonest * 1000 >= watermark_ms) return expired;
    this.soonest = Number.POSITIVE_INFINITY;
    for (const [second, watches] of this.expiries) {
      this.soonest = Math.min(this.soonest, second);
      if (second * 1000 >= watermark_ms) continue;
      for (const watch of watches) {
        if (this.lookUps.has(watch.reference)) continue;
        if (watch.expires_at_ms < watermark_ms) expired.push(watch);
      }
    }
    return expired;
  }

  /** The first block time after the expiry of an open watch; null when none is open. */
  nextEnd(): number | null {
    let soonest = Number.POSITIVE_INFINITY;
    for (const second of this.expiries.keys()) soonest = Math.min(soonest, second);
    return this.open.size > 0 ? (soonest + 1) * 1000 : null;
  }

  /** True while a watch is open that business time `ms` has reached. */
  waitsFor(ms: number): boolean {
    if (this.soonest * 1000 > ms) return false;
    for (const [second, watches] of this.expiries) {
      if (second * 1000 > ms) continue;
      for (const watch of watches) if (watch.expires_at_ms <= ms) return true;
    }
    return false;
  }

  /** Text from JSON is a new string each time; 100,000 watches of one merchant need it once. */
  private withSharedText(watch: KeptWatch): KeptWatch {
    const [sample] = this.expiries.get(secondOf(watch.expires_at_ms)) ?? [];
    if (!sample) return watch;
    const shared = <Text extends string | null>(text: Text, other: Text) =>
      text === other ? other : text;
    return {
      ...watch,
      merchant_id: shared(watch.merchant_id, sample.merchant_id),
      wallet: shared(watch.wallet, sample.wallet),
      account: shared(watch.account, sample.account),
      mint: shared(watch.mint, sample.mint),
    };
  }
}

const secondOf = (ms: number): number => Math.floor(ms / 1000);
