import { untilNextLook, type Delays, type Log } from '@tender/eventing';
import { RestoredLog } from '../guard/restored-log';
import { LaneHandler, type LaneHandlerOptions } from './lane-handler';
import { LaneQueue } from './lane-queue';
import type { LaneRecord } from './lane-records';
import { beginningOf, type LaneStart } from './lane-start';
import type { ReachedOffset } from './offsets-text';
import type { PartitionReader } from './partition-fetch';

export interface PartitionLaneOptions extends LaneHandlerOptions {
  readonly name: string;
  readonly delays: Delays;
  readonly log: Log;
  /** Resolves when the lane that had this partition before, in this process, has let go of it. */
  readonly before: Promise<void>;
  /** Asked again after it was rejected. */
  start(): Promise<LaneStart>;
  /** Gives this lane up; the next one starts with what is in the topic then. */
  startAnew(): void;
  /** Resolves when the group has confirmed this member. */
  confirmed(): Promise<void>;
  /** It takes records again, or others than before. */
  onWanted(): void;
  /** Kafka may hear of it. */
  reach(reached: ReachedOffset): void;
  /** Kafka is to hear of no offset before the next one that is reached. */
  forget(): void;
  /** Another process handles no more of it from here on. */
  onTakeOver(): void;
  onProgress(): void;
}

const RETRY_MIN_MS = 20;
const RETRY_MAX_MS = 2_000;
const REFUSED_PAUSE_MS = 10_000;
/** Between looks at the checkpoint of a partition in which nothing happens, at the time of all others. */
const LOOK_MS = 5_000;

/**
 * One partition, while it is this member's: takes the checkpoint over, and has its records handled one batch
 * after the other. What fails begins again with the checkpoint; Kafka's offset follows it and only saves work.
 */
export class PartitionLane implements PartitionReader {
  private readonly queue: LaneQueue;
  private readonly handler: LaneHandler;
  /** Every record before it was handled or parked. */
  private next: bigint | null = null;
  /** Of the record that it takes next; null while it is not known where to begin. */
  private taking: bigint | null = null;
  private closed = false;
  private tellClosing: () => void = () => undefined;
  private readonly closing: Promise<void>;
  private readonly running: Promise<void>;

  constructor(private readonly options: PartitionLaneOptions) {
    this.queue = new LaneQueue(() => options.onWanted());
    this.handler = new LaneHandler(options);
    this.closing = new Promise((resolve) => {
      this.tellClosing = resolve;
    });
    this.running = this.run();
  }

  nextTry(): Promise<number | null> {
    return this.options.parking.nextTry();
  }

  /** Every record before this offset was handled or parked; null while that is not known. */
  get next_offset(): bigint | null {
    return this.next;
  }

  /** Wall time (ms): every event of the partition that was recorded before has been handled or parked. */
  get progress_ms(): number | null {
    return this.handler.progress_ms;
  }

  get wanted(): bigint | null {
    return this.closed || this.queue.isFull ? null : this.taking;
  }

  push(records: readonly LaneRecord[]): void {
    this.taking = offsetAfter(records);
    this.queue.push(records);
  }

  takeAgain(first: bigint, lost: bigint): void {
    if (this.taking === null || this.taking <= lost) return;
    this.taking = first;
    if (this.next !== null && this.next > first) this.next = first;
  }

  /** The running batch may end; what waits is left to the member that has the partition next. */
  async close(): Promise<void> {
    this.closed = true;
    this.queue.end();
    this.tellClosing();
    await this.running;
    await this.options.parking.close();
  }

  private async run(): Promise<void> {
    await this.options.before;
    let delay_ms = RETRY_MIN_MS;
    let open = false;
    while (!this.closed) {
      try {
        if (!open) await this.open();
        open = true;
        const taken = this.queue.batch();
        if (taken.length > 0) await this.take(taken);
        else await this.rest();
        delay_ms = RETRY_MIN_MS;
      } catch (error) {
        open = false;
        if (error instanceof RestoredLog) return this.refuse(error);
        const { log, name, confirmed } = this.options;
        log.warn({ err: error, consumer: name, gone: this.closed }, 'a partition’s batch has failed');
        if (this.closed) return;
        await this.wait(delay_ms);
        delay_ms = Math.min(delay_ms * 2, RETRY_MAX_MS);
        // A member that was thrown out of the group meanwhile must not take the checkpoint from the one in it.
        await Promise.race([confirmed(), this.closing]);
      }
    }
  }

  private async open(): Promise<void> {
    if (await this.handler.takeOver()) this.goBack();
    await this.options.parking.open();
    this.options.onTakeOver();
    if (this.taking === null) await this.begin();
  }

  /** The database was set back, to a copy or a replica that lagged: what it lacks has left the queue long ago. */
  private goBack(): void {
    // With today's checkpoint, the offset that was reached would have the next lane begin behind the gap.
    this.options.forget();
    this.next = this.taking = null;
    this.queue.clear();
  }

  private async begin(): Promise<void> {
    const { eventStore, log, name } = this.options;
    const start = await Promise.race([this.options.start(), this.closing]);
    if (!start || this.closed) return;
    const beginning = beginningOf(start, this.handler.saved, eventStore.isBefore);
    const { offset, is_set_back, has_gap } = beginning;
    if (is_set_back) {
      log.warn({ consumer: name }, 'the database is older than Kafka’s offset: read anew');
    }
    if (has_gap) log.error({ consumer: name }, 'records have gone before they were read (retention)');
    this.handler.proof.begin(start.end);
    this.next = this.taking = offset;
    this.options.onWanted();
  }

  private async take(records: readonly LaneRecord[]): Promise<void> {
    const before_ms = this.progress_ms;
    await this.handler.take(records);
    this.queue.drop(records.length);
    const reached = offsetAfter(records);
    // Beyond what it takes next only where it was set back meanwhile: such an offset is another record's now.
    if (this.taking !== null && reached <= this.taking) {
      this.next = reached;
      this.options.reach({ offset: reached, checkpoint: this.handler.saved });
    }
    if (this.progress_ms !== before_ms) this.options.onProgress();
  }

  /** Until there is something to take. Where nothing is, nothing else would show that the database was set back. */
  private async rest(): Promise<void> {
    let looks = false;
    const { delays, clock } = this.options;
    const cancel = delays.after(untilNextLook(LOOK_MS, clock.wall()), () => {
      looks = true;
      this.queue.endWait();
    });
    await this.queue.more();
    cancel();
    if (looks && !this.closed) await this.handler.take([]);
  }

  /** Until an operator has deleted the topic. */
  private async refuse(error: RestoredLog): Promise<void> {
    const { log, name, startAnew } = this.options;
    log.error({ err: error, consumer: name }, 'a partition tells of a log that is no more: nothing is taken');
    await this.wait(REFUSED_PAUSE_MS);
    if (!this.closed) startAnew();
  }

  private wait(delay_ms: number): Promise<void> {
    const over = new Promise<void>((resolve) => {
      this.options.delays.after(delay_ms, resolve);
    });
    return Promise.race([over, this.closing]);
  }
}

/** Of what comes after the last of them; there is one at least. */
const offsetAfter = (records: readonly LaneRecord[]): bigint =>
  (records.at(-1) as LaneRecord).offset + 1n;
