import type { LaneRecord } from './lane-records';

const BATCH_MAX = 500;
const QUEUE_MAX = 2_000;
const QUEUE_LOW = 500;

/** The fetching of one partition. */
export interface Fetching {
  pause(): void;
  resume(): void;
}

/** The records that wait for their lane; while there are many, no more are fetched. */
export class LaneQueue {
  private records: LaneRecord[] = [];
  private paused = false;
  private ended = false;
  private wake: () => void = () => undefined;

  constructor(private readonly fetching: Fetching) {}

  push(records: readonly LaneRecord[]): void {
    this.records.push(...records);
    this.wake();
    if (this.records.length > QUEUE_MAX && !this.paused) {
      this.paused = true;
      this.fetching.pause();
    }
  }

  /** The oldest ones. They stay until they are dropped. */
  batch(): readonly LaneRecord[] {
    return this.records.slice(0, BATCH_MAX);
  }

  /** The oldest `count`. */
  drop(count: number): void {
    this.records.splice(0, count);
    if (this.records.length <= QUEUE_LOW) this.resume();
  }

  /** Drops all of them. */
  clear(): void {
    this.records = [];
    this.resume();
  }

  /** Ends `more`. */
  endWait(): void {
    this.wake();
  }

  /** Resolves when there is a record, the wait is ended, or the queue has ended. */
  more(): Promise<void> {
    return new Promise((resolve) => {
      this.wake = resolve;
      if (this.ended || this.records.length > 0) resolve();
    });
  }

  end(): void {
    this.ended = true;
    this.wake();
  }

  private resume(): void {
    if (!this.paused) return;
    this.paused = false;
    this.fetching.resume();
  }
}
