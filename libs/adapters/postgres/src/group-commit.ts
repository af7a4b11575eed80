import type { Client } from 'pg';
import { Unavailable, type StoredEvent } from '@tender/eventing';
import { AskQueue } from './ask-queue';
import { isConnectionLoss, isTimeout, namedFailure } from './database-failures';
import { storedEvents, type Ask } from './event-rows';
import { insertAsks } from './insert-asks';
import { CommitterCount } from './committer-count';

/** Appends that went to the database in one statement. */
interface Batch {
  readonly asks: readonly Ask[];
  readonly events: number;
  readonly oldest_ms: number;
  readonly started_ms: number;
  /** Null while the outcome is open. */
  stored: StoredEvent[] | null;
}

export interface GroupCommitOptions {
  /** A committer is a connection of its own: several write batches beside each other. */
  readonly committers_max: number;
  readonly queue_max: number;
  /**
   * Writes a batch in one transaction; answers whether an ask was taken. Positions are those given out here,
   * unless it sets others. `insertAsks` unless told.
   */
  readonly insert?: (committer: Client, asks: readonly Ask[]) => Promise<(ask: Ask) => boolean>;
  /** New committed events, in log order, without a gap before them. */
  readonly onCommitted: (events: readonly StoredEvent[]) => void;
  readonly onLost: (error: Error) => void;
}

const PART = 'event log';

/**
 * Natural group commit: while one batch commits the next one gathers, without a timer. Positions are given
 * out here; events count as committed in their order, whatever committer was faster (settled 20).
 */
export class GroupCommit {
  private readonly queue = new AskQueue();
  private readonly committers: Client[] = [];
  private readonly idle: Client[] = [];
  private readonly committer_count: CommitterCount;
  private in_flight: Batch[] = [];
  private next_position = 1;
  private committers_max = 1;
  private refusing = false;
  private openCommitter: (() => Promise<Client>) | null = null;
  private opening = false;
  private gathering = false;
  /** Raised when a session ends, so that what belongs to an older one is left alone. */
  private era = 0;

  constructor(private readonly options: GroupCommitOptions) {
    this.committer_count = new CommitterCount(options.committers_max);
  }

  get isOpen(): boolean {
    return this.openCommitter !== null;
  }

  get isQuiet(): boolean {
    return this.queue.size === 0 && this.in_flight.length === 0;
  }

  /** Wall time (ms) of the oldest call in a batch that is not handed on; Infinity when there is none. */
  oldest(): number {
    return Math.min(...this.in_flight.map((batch) => batch.oldest_ms));
  }

  /** Monotonic start of the batch that is under way for longest. */
  longestUnderWay(): number | null {
    return this.in_flight.find((batch) => batch.stored === null)?.started_ms ?? null;
  }

  async open(first_position: number, openCommitter: () => Promise<Client>): Promise<void> {
    this.next_position = first_position;
    this.committers_max = this.options.committers_max;
    const committer = await openCommitter();
    this.openCommitter = openCommitter;
    this.committers.push(committer);
    this.idle.push(committer);
    this.gather();
  }

  /** The session is over: what waits or is under way ends with an unknown outcome. */
  lose(error: Error): void {
    this.era += 1;
    this.openCommitter = null;
    this.committers.length = this.idle.length = 0;
    const asks = [...this.in_flight.flatMap((batch) => batch.asks), ...this.queue.takeAll()];
    this.in_flight = [];
    const reason = error.message;
    for (const ask of asks) ask.failed(new Unavailable(PART, { cause: error, reason }));
  }

  refuseNew(): void {
    this.refusing = true;
  }

  add(ask: Ask): void {
    if (!this.isOpen || this.refusing) throw new Unavailable(PART, { reason: 'not connected' });
    if (this.queue.size >= this.options.queue_max) {
      throw new Unavailable(PART, { reason: 'too many appends wait' });
    }
    this.queue.add(ask);
    this.gather();
  }

  /** At the end of this turn of the event loop, so that everything that arrives with it is in the batch. */
  private gather(): void {
    if (this.gathering || this.busy >= this.committer_count.wanted) return;
    this.gathering = true;
    setImmediate(() => {
      this.gathering = false;
      this.startBatches();
    });
  }

  private startBatches(): void {
    while (this.queue.hasReady) {
      if (this.busy >= this.committer_count.wanted) return;
      const committer = this.idle.pop();
      if (!committer) return this.addCommitter();
      void this.commit(committer, this.takeBatch());
    }
  }

  private get busy(): number {
    return this.committers.length - this.idle.length;
  }

  private addCommitter(): void {
    if (this.opening || !this.openCommitter) return;
    if (this.committers.length >= this.committers_max) return;
    this.opening = true;
    const era = this.era;
    this.openCommitter()
      .then((committer) => {
        if (era !== this.era) return;
        this.committers.push(committer);
        this.idle.push(committer);
        this.gather();
      })
      // One committer is enough to go on; the next session may have more.
      .catch(() => {
        if (era === this.era) this.committers_max = this.committers.length;
      })
      .finally(() => {
        this.opening = false;
      });
  }

  private takeBatch(): Batch {
    const asks = this.queue.takeBatch();
    let oldest_ms = Number.POSITIVE_INFINITY;
    const first = this.next_position;
    for (const ask of asks) {
      ask.position = this.next_position;
      this.next_position += ask.events.length;
      oldest_ms = Math.min(oldest_ms, ask.asked_ms);
    }
    const events = this.next_position - first;
    const batch = { asks, events, oldest_ms, started_ms: performance.now(), stored: null };
    this.in_flight.push(batch);
    return batch;
  }

  private async commit(committer: Client, batch: Batch): Promise<void> {
    const era = this.era;
    const stored: StoredEvent[] = [];
    try {
      await this.write(committer, batch.asks, stored);
    } catch (error) {
      if (era === this.era) this.options.onLost(error as Error);
      return;
    }
    if (era !== this.era) return;
    this.committer_count.observe(performance.now() - batch.started_ms, batch.events);
    batch.stored = stored;
    for (const ask of batch.asks) this.queue.settled(ask);
    this.idle.push(committer);
    this.advance();
    this.gather();
  }

  /** Answers each caller; throws only when the connection is lost. */
  private async write(
    committer: Client,
    asks: readonly Ask[],
    stored: StoredEvent[],
  ): Promise<void> {
    let taken: (ask: Ask) => boolean;
    try {
      taken = await (this.options.insert ?? insertAsks)(committer, asks);
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      if (asks.length === 1 || isTimeout(error)) {
        for (const ask of asks) ask.failed(namedFailure(PART, error));
        return;
      }
      // One of them is at fault, and only that one shall hear of it.
      for (const ask of asks) await this.write(committer, [ask], stored);
      return;
    }
    for (const ask of asks) {
      if (!taken(ask)) {
        ask.refused();
        continue;
      }
      const events = storedEvents(ask);
      stored.push(...events);
      ask.accepted(events);
    }
  }

  /** Hands on what is committed up to the first batch without an outcome. */
  private advance(): void {
    let settled = 0;
    while (this.in_flight[settled]?.stored) settled += 1;
    for (const { stored } of this.in_flight.splice(0, settled)) {
      if (stored && stored.length > 0) this.options.onCommitted(stored);
    }
  }
}
