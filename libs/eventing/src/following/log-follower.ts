import { invariant } from '@tender/kernel';
import { inTime } from '../in-time';
import type { Delays } from '../ports/delays';
import type { Category, Position, StoredEvent } from '../events/event';
import type { Follower, FollowOptions } from '../ports/event-store';
import type { Log } from '../ports/log';
import { PacedStarts } from './paced-starts';

/** How far a log can be read without a gap, and the wall time (ms) before which nothing is still to come. */
export interface LogMark {
  readonly position: number;
  readonly wall_ms: number;
}

/** A log with whole, rising positions, as its followers see it. */
export interface FollowableLog {
  /** Asked whenever a follower is woken, also within that call. */
  mark(): LogMark;
  /** The newest position that an append was answered with; with several under way it may be past the mark. */
  head(): number;
  /** Events of these categories with `after` < position ≤ `until`, oldest first, at most `limit`. */
  read(
    categories: ReadonlySet<Category>,
    after: number,
    until: number,
    limit: number,
  ): readonly StoredEvent[] | Promise<readonly StoredEvent[]>;
  /** True where it is known at once that `read` would find nothing. */
  hasNone?(categories: ReadonlySet<Category>, after: number, until: number): boolean;
}

const BATCH_MAX = 500;
const RETRY_DELAY_MIN_MS = 50;
const RETRY_DELAY_MAX_MS = 5_000;

/** Walks a log, one batch at a time. Sleeps until it is woken: it polls nothing. */
export class LogFollower implements Follower {
  readonly categories: ReadonlySet<Category>;
  private handled: number;
  private stopped = false;
  private woken = true;
  /** Of batches; null where they are not paced. */
  private readonly starts: PacedStarts | null;
  private endSleep: (() => void) | null = null;
  /** What was told of progress while it slept, as long as it is being written. */
  private keeping: Promise<void> | null = null;
  /** Of progress, while it sleeps: who hears of it may wake it, or stop it. */
  private is_telling = false;
  /** Of the pauses that are under way: reading ahead has its own. */
  private readonly cutPauses = new Set<() => void>();
  private waiters: { readonly position: number; readonly done: () => void }[] = [];
  private readonly running: Promise<void>;

  constructor(
    private readonly source: FollowableLog,
    private readonly delays: Delays,
    private readonly log: Log,
    private readonly options: FollowOptions,
  ) {
    this.categories = new Set(options.categories);
    this.handled = Number(options.from ?? 0);
    invariant(
      this.handled <= source.head(),
      `${options.name} is not past the end of the log (a log restored from an older copy?)`,
    );
    this.starts = options.pace_ms ? new PacedStarts(delays, options.pace_ms) : null;
    this.running = this.run();
  }

  /** Up to here everything was handled. */
  get position(): number {
    return this.handled;
  }

  wake(): void {
    this.woken = true;
    if (this.endSleep && !this.is_telling && !this.passOver()) this.endSleep?.();
  }

  async idle(): Promise<void> {
    await this.untilHandled(this.source.head());
  }

  /** Resolves when everything up to `position` has been handled, or the follower is stopped. */
  untilHandled(position: number): Promise<void> {
    if (this.handled >= position || this.stopped) return Promise.resolve();
    return new Promise((done) => {
      this.waiters.push({ position, done });
      this.wake();
      this.starts?.cut();
    });
  }

  async reached(position: Position, timeout_ms: number): Promise<boolean> {
    const target = Number(position);
    if (this.handled >= target) return true;
    await inTime(this.delays, this.untilHandled(target), timeout_ms, () => undefined);
    return this.handled >= target;
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.endSleep?.();
    this.starts?.cut();
    for (const cutPause of [...this.cutPauses]) cutPause();
    await this.running;
    this.tell(Number.POSITIVE_INFINITY);
  }

  private async run(): Promise<void> {
    while (!this.stopped) {
      await this.keepPace();
      this.woken = false;
      const mark = this.source.mark();
      if (this.hasHeardOf(mark) && (await this.catchUp(mark))) await this.progress(mark);
      if (!this.woken && !this.stopped) await this.sleep();
      await this.keeping;
      this.keeping = null;
    }
  }

  /** Where several processes write, its checkpoint may be of events that this one has not heard of yet. */
  private hasHeardOf(mark: LogMark): boolean {
    return mark.position >= this.handled;
  }

  /**
   * Most of what wakes a follower is for others: then it sleeps on, since to resume costs more than to look. False
   * where it has something to do.
   */
  private passOver(): boolean {
    const mark = this.source.mark();
    if (!this.hasHeardOf(mark)) return true;
    if (!this.hasNoneUntil(mark)) return false;
    this.is_telling = true;
    this.woken = false;
    this.keeping = this.progress(mark) ?? null;
    this.is_telling = false;
    return this.keeping === null && !this.woken;
  }

  private hasNoneUntil({ position }: LogMark): boolean {
    if (position === this.handled) return true;
    return this.source.hasNone?.(this.categories, this.handled, position) ?? false;
  }

  /** Not while a caller waits for this follower. */
  private async keepPace(): Promise<void> {
    if (this.waiters.length > 0 || this.stopped) return;
    await this.starts?.next();
  }

  /** True when everything up to the mark has been handed over. */
  private async catchUp(mark: LogMark): Promise<boolean> {
    const limit = this.options.batch_max ?? BATCH_MAX;
    const readOn = (after: number) =>
      this.insist('read', () =>
        Promise.resolve(this.source.read(this.categories, after, mark.position, limit)),
      );
    let unread = this.handled < mark.position ? readOn(this.handled) : null;
    while (unread) {
      const read = await unread;
      if (!read) return false;
      const last = read.at(-1);
      if (!last) break;
      // A backlog's next batch is read while this one is handled.
      unread = read.length < limit ? null : readOn(Number(last.position));
      this.starts?.count();
      const handled = await this.insist('handle', async () => {
        await this.options.onEvents(read);
        return true;
      });
      if (!handled) return false;
      if (unread) this.tell(Number(last.position));
    }
    return true;
  }

  /** Returns a promise only where `onProgress` is still writing. */
  private progress(mark: LogMark): Promise<void> | void {
    const failed = (error: unknown): void =>
      this.log.warn({ err: error, follower: this.options.name }, 'progress was not kept');
    const told = (): void => this.tell(mark.position);
    try {
      const kept = this.options.onProgress?.(String(mark.position), mark.wall_ms);
      if (kept) return kept.catch(failed).then(told);
    } catch (error) {
      failed(error);
    }
    told();
  }

  /** Again and again with growing pauses; null once the follower stops. */
  private async insist<Result>(
    what: string,
    attempt: () => Promise<Result>,
  ): Promise<Result | null> {
    let delay_ms = RETRY_DELAY_MIN_MS;
    while (!this.stopped) {
      try {
        return await attempt();
      } catch (error) {
        const follower = this.options.name;
        this.log.warn({ err: error, follower, what, delay_ms }, 'a follower tries again');
        await this.pause(delay_ms);
        delay_ms = Math.min(delay_ms * 2, RETRY_DELAY_MAX_MS);
      }
    }
    return null;
  }

  private tell(handled: number): void {
    if (Number.isFinite(handled)) this.handled = Math.max(this.handled, handled);
    if (this.waiters.length === 0) return;
    const waiting = this.waiters;
    this.waiters = waiting.filter((waiter) => waiter.position > handled);
    for (const waiter of waiting) if (waiter.position <= handled) waiter.done();
  }

  /** Until something new is in the log. */
  private sleep(): Promise<void> {
    return new Promise((resolve) => {
      this.endSleep = () => {
        this.endSleep = null;
        resolve();
      };
    });
  }

  /** Only `stop` cuts it short. */
  private pause(delay_ms: number): Promise<void> {
    if (this.stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        this.cutPauses.delete(cut);
        resolve();
      };
      const cancel = this.delays.after(delay_ms, end);
      const cut = () => {
        cancel();
        end();
      };
      this.cutPauses.add(cut);
    });
  }
}
