import type { Client } from 'pg';
import { Unavailable, type StoredEvent } from '@tender/eventing';
import { AppendQueue } from './append-queue';
import { isConnectionLoss, isTimeout, namedFailure } from '../connections/database-failures';
import { storedEvents, type PendingAppend } from './event-rows';
import { insertBatch } from './insert-batch';
import { CommitterCount } from './committer-count';

/** Appends that went to the database in one statement. */
interface Batch {
  readonly appends: readonly PendingAppend[];
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
   * Writes a batch in one transaction; answers whether an append was taken. Positions are those given out here,
   * unless it sets others. `insertBatch` by default.
   */
  readonly insert?: (
    committer: Client,
    appends: readonly PendingAppend[],
  ) => Promise<(append: PendingAppend) => boolean>;
  /** New committed events, in log order, without a gap before them. */
  readonly onCommitted: (events: readonly StoredEvent[]) => void;
  readonly onLost: (error: Error) => void;
}

const PART = 'event log';

/**
 * Natural group commit: while one batch commits the next one gathers, without a timer. Positions are given
 * out here; events count as committed in their order, whatever committer was faster (ADR 0001).
 */
export class GroupCommit {
  private readonly queue = new AppendQueue();
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
    const appends = [...this.in_flight.flatMap((batch) => batch.appends), ...this.queue.takeAll()];
    this.in_flight = [];
    const reason = error.message;
    for (const append of appends) append.failed(new Unavailable(PART, { cause: error, reason }));
  }

  refuseNew(): void {
    this.refusing = true;
  }

  add(append: PendingAppend): void {
    if (!this.isOpen || this.refusing) throw new Unavailable(PART, { reason: 'not connected' });
    if (this.queue.size >= this.options.queue_max) {
      throw new Unavailable(PART, { reason: 'too many appends wait' });
    }
    this.queue.add(append);
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
    const appends = this.queue.takeBatch();
    let oldest_ms = Number.POSITIVE_INFINITY;
    const first = this.next_position;
    for (const append of appends) {
      append.position = this.next_position;
      this.next_position += append.events.length;
      oldest_ms = Math.min(oldest_ms, append.since_ms);
    }
    const events = this.next_position - first;
    const batch = { appends, events, oldest_ms, started_ms: performance.now(), stored: null };
    this.in_flight.push(batch);
    return batch;
  }

  private async commit(committer: Client, batch: Batch): Promise<void> {
    const era = this.era;
    const stored: StoredEvent[] = [];
    try {
      await this.write(committer, batch.appends, stored);
    } catch (error) {
      if (era === this.era) this.options.onLost(error as Error);
      return;
    }
    if (era !== this.era) return;
    this.committer_count.observe(performance.now() - batch.started_ms, batch.events);
    batch.stored = stored;
    for (const append of batch.appends) this.queue.settled(append);
    this.idle.push(committer);
    this.advance();
    this.gather();
  }

  /** Answers each caller; throws only when the connection is lost. */
  private async write(
    committer: Client,
    appends: readonly PendingAppend[],
    stored: StoredEvent[],
  ): Promise<void> {
    let taken: (append: PendingAppend) => boolean;
    try {
      taken = await (this.options.insert ?? insertBatch)(committer, appends);
    } catch (error) {
      if (isConnectionLoss(error)) throw error;
      if (appends.length === 1 || isTimeout(error)) {
        for (const append of appends) append.failed(namedFailure(PART, error));
        return;
      }
      // One of them is at fault, and only that one shall hear of it.
      for (const append of appends) await this.write(committer, [append], stored);
      return;
    }
    for (const append of appends) {
      if (!taken(append)) {
        append.refused();
        continue;
      }
      const events = storedEvents(append);
      stored.push(...events);
      append.accepted(events);
    }
  }

  /** Hands on what is committed up to the first batch without an outcome. */
  private advance(): void {
    // One at a time: who hears of one may ask how old the oldest is of those behind it.
    for (;;) {
      const stored = this.in_flight[0]?.stored;
      if (!stored) return;
      this.in_flight.shift();
      if (stored.length > 0) this.options.onCommitted(stored);
    }
  }
}
