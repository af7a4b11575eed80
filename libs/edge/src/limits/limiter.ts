import type { Clock } from '@tender/kernel';
import type { Holding, LimitBlocks } from './limit-block.record';
import { SlidingWindow } from './sliding-window';

/** What the X-RateLimit headers say. `reset` and `retry_after` are unix seconds and seconds. */
export interface Verdict {
  readonly admitted: boolean;
  readonly limit: number;
  readonly remaining: number;
  readonly reset: number;
  readonly retry_after: number;
  /** Wall clock, when this was decided. */
  readonly at_ms: number;
}

export interface LimiterOptions {
  readonly clock: Pick<Clock, 'wall'>;
  /** Null: nothing outlives the process. */
  readonly blocks: LimitBlocks | null;
  readonly gateway: string;
  /** False: everything is admitted, and the headers are still right (`RATE_LIMITS=off`). */
  readonly refuses: boolean;
  readonly span_seconds?: number;
}

const LEASE_MS = 120_000;
/** The right to admit is bought in fifths of the limit: what a crash can waste at most. */
const BLOCKS_PER_LIMIT = 5;
/** A refused gateway asks the table again this much later. */
const ASK_AGAIN_MS = 1000;
const BUCKETS_BEFORE_SWEEP = 50_000;
const SWEEP_EVERY_MS = 60_000;

interface Bucket {
  readonly window: SlidingWindow;
  holding: Holding;
  leased_until_ms: number;
  ask_again_ms: number;
  buying: Promise<void> | null;
}

const NOTHING_HELD: Holding = { units: 0, others: 0, others_free_at: null };

/**
 * Decides which requests are let in. Invariant: the requests that this gateway admitted in any hour never outnumber its
 * holding, and all holdings of a bucket together never exceed its limit, so no hour sees more than the limit,
 * whichever gateway dies when (E1, S11).
 */
export class Limiter {
  private readonly buckets = new Map<string, Bucket>();
  private readonly span_seconds: number;
  private swept_at_ms = 0;

  constructor(private readonly options: LimiterOptions) {
    this.span_seconds = options.span_seconds ?? 3600;
  }

  /** Takes one from the bucket. Answers at once unless a block must be bought first. */
  admit(key: string, limit: number): Verdict | Promise<Verdict> {
    const bucket = this.bucketOf(key);
    const now = this.options.clock.wall();
    if (!this.options.refuses) return this.take(bucket, limit, now);
    if (this.options.blocks === null) {
      return bucket.window.count(now) < limit
        ? this.take(bucket, limit, now)
        : this.verdict(bucket, limit, now, false);
    }
    if (this.isHeld(bucket, now)) return this.take(bucket, limit, now);
    if (now < bucket.ask_again_ms && bucket.leased_until_ms > now) {
      return this.verdict(bucket, limit, now, false);
    }
    return this.admitAfterBuying(key, bucket, limit);
  }

  /** As it stands, without taking anything. */
  look(key: string, limit: number): Verdict {
    const bucket = this.buckets.get(key);
    const now = this.options.clock.wall();
    return bucket
      ? this.verdict(bucket, limit, now, bucket.window.count(now) < limit)
      : {
          ...{ admitted: true, limit, remaining: limit, reset: this.resetWithout(now) },
          ...{ retry_after: 1, at_ms: now },
        };
  }

  /** What was taken at `at_ms` is free again: the request has had no effect. How it stands then. */
  giveBack(key: string, limit: number, at_ms: number): Verdict {
    this.buckets.get(key)?.window.remove(at_ms);
    return this.look(key, limit);
  }

  /** True when the bucket has counted anything in the last span. */
  knows(key: string): boolean {
    return (this.buckets.get(key)?.window.count(this.options.clock.wall()) ?? 0) > 0;
  }

  private isHeld(bucket: Bucket, now: number): boolean {
    return bucket.leased_until_ms > now && bucket.window.count(now) < bucket.holding.units;
  }

  private async admitAfterBuying(key: string, bucket: Bucket, limit: number): Promise<Verdict> {
    // All requests that wait share one purchase; one that then finds the block used up buys the next one.
    for (;;) {
      bucket.buying ??= this.buy(key, bucket, limit).finally(() => {
        bucket.buying = null;
      });
      await bucket.buying;
      const now = this.options.clock.wall();
      if (this.isHeld(bucket, now)) return this.take(bucket, limit, now);
      if (now < bucket.ask_again_ms) return this.verdict(bucket, limit, now, false);
    }
  }

  private async buy(key: string, bucket: Bucket, limit: number): Promise<void> {
    const { clock, blocks, gateway } = this.options;
    const asked_at = clock.wall();
    const used = bucket.window.count(asked_at);
    bucket.holding = await (blocks as LimitBlocks).buy({
      bucket: key,
      gateway,
      used,
      wanted: used + Math.max(1, Math.ceil(limit / BLOCKS_PER_LIMIT)),
      limit,
      lease_ms: LEASE_MS,
    });
    // Counted from before the question: the table's lease is never shorter than what we believe.
    bucket.leased_until_ms = asked_at + LEASE_MS;
    if (bucket.holding.units <= used) bucket.ask_again_ms = clock.wall() + ASK_AGAIN_MS;
  }

  private take(bucket: Bucket, limit: number, now: number): Verdict {
    bucket.window.count(now);
    bucket.window.add(now);
    return this.verdict(bucket, limit, now, true);
  }

  private verdict(bucket: Bucket, limit: number, now: number, admitted: boolean): Verdict {
    const used = bucket.window.count(now) + bucket.holding.others;
    const frees = [bucket.window.freesAt(), bucket.holding.others_free_at].filter(
      (at) => at !== null,
    );
    const reset = frees.length ? Math.min(...frees) : this.resetWithout(now);
    return {
      admitted,
      limit,
      remaining: Math.max(0, limit - used),
      reset,
      retry_after: Math.max(1, reset - Math.floor(now / 1000)),
      at_ms: now,
    };
  }

  private resetWithout = (now: number): number => Math.ceil(now / 1000) + this.span_seconds;

  private bucketOf(key: string): Bucket {
    const known = this.buckets.get(key);
    if (known) return known;
    if (this.buckets.size >= BUCKETS_BEFORE_SWEEP) this.forgetEmpty();
    const made: Bucket = {
      window: new SlidingWindow(this.span_seconds),
      holding: NOTHING_HELD,
      leased_until_ms: 0,
      ask_again_ms: 0,
      buying: null,
    };
    this.buckets.set(key, made);
    return made;
  }

  /** Only what counts nothing may go: forgetting the others would let their callers in again. */
  private forgetEmpty(): void {
    const now = this.options.clock.wall();
    if (now - this.swept_at_ms < SWEEP_EVERY_MS) return;
    this.swept_at_ms = now;
    for (const [key, bucket] of this.buckets) {
      if (bucket.window.count(now) === 0 && !bucket.buying) this.buckets.delete(key);
    }
  }
}
