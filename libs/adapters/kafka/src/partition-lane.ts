import type {
  ConsumerRecords,
  Delays,
  Located,
  Log,
  ParkingConsumer,
  Position,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Landmark } from './cloud-event';
import { RestoredLog, WAY_OUT } from './restored-log';

export interface LaneStart {
  /** Where the group stands by Kafka's account; null when it has not said. */
  readonly committed: bigint | null;
  /** The checkpoint in the database when it said so. */
  readonly checkpoint: Position | null;
  /** The oldest record that is still there. */
  readonly oldest: bigint;
  /** Of the record that will come next. */
  readonly end: bigint;
}

/** A record of the partition, as far as this consumer is concerned. */
export interface LaneRecord {
  readonly offset: bigint;
  /** Null for what says nothing of the log, such as rubbish. */
  readonly position: Position | null;
  /** Of every event, wanted or not. */
  readonly landmark: Landmark | null;
  /** Null when it is not of a wanted type. */
  readonly located: Located | null;
  readonly progress_ms: number | null;
}

export interface PartitionLaneOptions {
  readonly name: string;
  readonly records: ConsumerRecords;
  readonly parking: ParkingConsumer;
  readonly isBefore: (position: Position, other: Position) => boolean;
  readonly clock: Clock;
  readonly delays: Delays;
  readonly log: Log;
  /** Resolves when the lane that had this partition before, in this process, has let go of it. */
  readonly before: Promise<void>;
  /** Asked again after it was rejected. */
  start(): Promise<LaneStart>;
  isInLog(landmark: Landmark): Promise<boolean>;
  /** Gives this lane up; the next one starts with what is in the topic then. */
  startAnew(): void;
  /** Resolves when the group has confirmed this member. */
  confirmed(): Promise<void>;
  seek(offset: bigint): void;
  pause(): void;
  resume(): void;
  commit(offset: bigint, checkpoint: Position | null): Promise<void>;
  /** Another process handles no more of it from here on. */
  onTakeOver(): void;
  onProgress(): void;
}

const BATCH_MAX = 500;
const QUEUE_MAX = 2_000;
const QUEUE_LOW = 500;
const SAVE_PROGRESS_MS = 5_000;
const COMMIT_MS = 1_000;
const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 2_000;
const REFUSED_PAUSE_MS = 10_000;

/**
 * One partition, while it is this member's: takes the checkpoint over, and hands records to the consumer in
 * order, those that the checkpoint is not past yet. The checkpoint in the database is the truth; Kafka's
 * offset follows it and only saves work.
 */
export class PartitionLane {
  private queue: LaneRecord[] = [];
  private accepting = false;
  private missed = false;
  private paused = false;
  private next: bigint | null = null;
  /** What comes before was written for the log as it was then. */
  private proven_from = 0n;
  private handled: Position | null = null;
  private saved: Position | null = null;
  private saved_ms = 0;
  private wall_ms: number | null = null;
  private committed: bigint | null = null;
  private cancelCommit: (() => void) | null = null;
  private closed = false;
  private rouse: () => void = () => undefined;
  private tellClosing: () => void = () => undefined;
  private readonly closing: Promise<void>;
  private readonly running: Promise<void>;

  constructor(private readonly options: PartitionLaneOptions) {
    this.closing = new Promise((resolve) => {
      this.tellClosing = resolve;
    });
    this.running = this.run();
  }

  /** Every record before this offset was handled or parked; null while that is not known. */
  get next_offset(): bigint | null {
    return this.next;
  }

  /** Wall time (ms): every event of the partition that was recorded before has been handled or parked. */
  get progress_ms(): number | null {
    return this.wall_ms;
  }

  /** False while it is not known where to begin: what comes before is fetched again. */
  accepts(): boolean {
    if (!this.accepting) this.missed = true;
    return this.accepting;
  }

  push(records: readonly LaneRecord[]): void {
    this.queue.push(...records);
    this.rouse();
    if (this.queue.length > QUEUE_MAX && !this.paused) {
      this.paused = true;
      this.options.pause();
    }
  }

  /** The running batch may end; what waits is left to whoever has the partition next. */
  async close({ leaving = false } = {}): Promise<void> {
    this.closed = true;
    this.rouse();
    this.tellClosing();
    await this.running;
    await this.options.parking.close();
    this.cancelCommit?.();
    if (leaving) await this.commitNow();
  }

  private async run(): Promise<void> {
    await this.options.before;
    let delay_ms = RETRY_MIN_MS;
    let open = false;
    while (!this.closed) {
      try {
        if (!open) await this.open();
        open = true;
        const taken = this.queue.slice(0, BATCH_MAX);
        if (taken.length > 0) await this.take(taken);
        else await this.more();
        delay_ms = RETRY_MIN_MS;
      } catch (error) {
        open = false;
        if (error instanceof RestoredLog) return this.refuse(error);
        const { log, name, confirmed } = this.options;
        log.warn({ err: error, consumer: name, gone: this.closed }, 'a partition’s batch has failed');
        if (this.closed) return;
        await this.wait(delay_ms);
        delay_ms = Math.min(delay_ms * 2, RETRY_MAX_MS);
        // Who was thrown out of the group meanwhile must not take the checkpoint from the one who is in it.
        await Promise.race([confirmed(), this.closing]);
      }
    }
  }

  private async open(): Promise<void> {
    const { records, parking, clock } = this.options;
    // The partition may have been here before: its former turn can move the checkpoint no more.
    records.release();
    const was = this.saved;
    this.handled = this.saved = await records.checkpoint();
    if (was !== null && (this.saved === null || this.isNew(was, this.saved))) this.goBack();
    this.saved_ms = clock.wall();
    await parking.open();
    this.options.onTakeOver();
    if (!this.accepting) await this.begin();
  }

  /** The database was set back, to a copy or a replica that lagged: what it lacks has left the queue long ago. */
  private goBack(): void {
    this.queue = [];
    // With today's checkpoint, the offset that was reached would have the next lane begin behind the gap.
    this.next = null;
    this.accepting = false;
    this.missed = true;
    if (this.paused) this.options.resume();
    this.paused = false;
  }

  private async begin(): Promise<void> {
    const { isBefore, log, name, seek } = this.options;
    const start = await Promise.race([this.options.start(), this.closing]);
    if (!start || this.closed) return;
    const ahead =
      start.checkpoint !== null &&
      (this.saved === null || isBefore(this.saved, start.checkpoint));
    if (ahead) log.warn({ consumer: name }, 'the database is older than Kafka’s offset: read anew');
    const from = ahead || start.committed === null ? start.oldest : start.committed;
    if (start.committed !== null && start.committed < start.oldest) {
      log.error({ consumer: name }, 'records have gone before they were read (retention)');
    }
    this.next = from > start.oldest ? from : start.oldest;
    this.proven_from = start.end;
    this.accepting = true;
    if (ahead || this.missed) seek(this.next);
  }

  private async take(records: readonly LaneRecord[]): Promise<void> {
    const { parking, clock } = this.options;
    await this.prove(records);
    let reached = this.handled;
    let wall_ms = this.wall_ms;
    const fresh: Located[] = [];
    for (const record of records) {
      const { located, progress_ms } = record;
      const position = this.placeOf(record);
      // Below what came before it: a repeat, of which the relay may write any number.
      const repeated = position !== null && reached !== null && !this.isNew(position, reached);
      if (position !== null && !repeated) reached = position;
      if (located && !repeated) fresh.push(located);
      if (progress_ms !== null) wall_ms = Math.max(wall_ms ?? 0, progress_ms);
    }
    const late = reached !== this.saved && clock.wall() - this.saved_ms >= SAVE_PROGRESS_MS;
    if (reached !== null && (fresh.length > 0 || late)) {
      await parking.handle(fresh, reached);
      this.saved = reached;
      this.saved_ms = clock.wall();
    } else if (clock.wall() - this.saved_ms >= SAVE_PROGRESS_MS) {
      // Where nothing happens, nothing else would show that the database was set back.
      await parking.verify();
      this.saved_ms = clock.wall();
    }
    this.done(records, reached, wall_ms);
  }

  /**
   * Records that were there before this lane may be of a log that has been set back since: its positions are
   * those of other events now. The latest event of a log proves all before it.
   */
  private async prove(records: readonly LaneRecord[]): Promise<void> {
    let latest: Landmark | null = null;
    for (const { offset, landmark } of records) {
      if (offset >= this.proven_from || !landmark) continue;
      if (latest === null || this.isNew(landmark.position, latest.position)) latest = landmark;
    }
    if (latest === null || (await this.options.isInLog(latest))) return;
    const { stream, position } = latest;
    throw new RestoredLog(`${stream} has no such event at ${position}: an older log was restored. ${WAY_OUT}`);
  }

  /** Progress of such a log proves nothing: what is not past it may be an event of today. */
  private placeOf({ offset, position, landmark }: LaneRecord): Position | null {
    return landmark || offset >= this.proven_from ? position : null;
  }

  /** Until somebody has deleted the topic. */
  private async refuse(error: RestoredLog): Promise<void> {
    const { log, name, startAnew } = this.options;
    log.error({ err: error, consumer: name }, 'a partition tells of a log that is no more: nothing is taken');
    await this.wait(REFUSED_PAUSE_MS);
    if (!this.closed) startAnew();
  }

  private done(records: readonly LaneRecord[], reached: Position | null, wall_ms: number | null) {
    this.queue.splice(0, records.length);
    this.handled = reached;
    this.next = (records.at(-1) as LaneRecord).offset + 1n;
    if (reached !== null) this.options.records.noteProgress(reached);
    if (this.paused && this.queue.length <= QUEUE_LOW) {
      this.paused = false;
      this.options.resume();
    }
    this.cancelCommit ??= this.options.delays.after(COMMIT_MS, () => {
      this.cancelCommit = null;
      void this.commitNow();
    });
    if (wall_ms === this.wall_ms) return;
    this.wall_ms = wall_ms;
    this.options.onProgress();
  }

  private async commitNow(): Promise<void> {
    if (this.next === null || this.next === this.committed) return;
    this.committed = this.next;
    await this.options.commit(this.next, this.saved);
  }

  /** The same position again is a repeat, too. */
  private isNew(position: Position, reached: Position): boolean {
    return this.options.isBefore(reached, position);
  }

  private more(): Promise<void> {
    return new Promise((resolve) => {
      this.rouse = resolve;
      if (this.closed || this.queue.length > 0) resolve();
    });
  }

  private wait(delay_ms: number): Promise<void> {
    const over = new Promise<void>((resolve) => {
      this.options.delays.after(delay_ms, resolve);
    });
    return Promise.race([over, this.closing]);
  }
}
