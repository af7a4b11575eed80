import type { LaneRecord } from './lane-records';

const BATCH_MAX = 500;
const QUEUE_MAX = 2_000;
const QUEUE_LOW = 500;

/** The records that wait for their lane. While there are many it takes no more. */
export class LaneQueue {
  private records: LaneRecord[] = [];
  private full = false;
  private ended = false;
  private wake: () => void = () => undefined;

  /** `onRoom`: takes records again. */
  constructor(private readonly onRoom: () => void) {}

  get isFull(): boolean {
    return this.full;
  }

  push(records: readonly LaneRecord[]): void {
    this.records.push(...records);
    this.full ||= this.records.length > QUEUE_MAX;
    this.wake();
  }

  /** The oldest ones. They stay until they are dropped. */
  batch(): readonly LaneRecord[] {
    return this.records.slice(0, BATCH_MAX);
  }

  /** The oldest `count`. */
  drop(count: number): void {
    this.records.splice(0, count);
    if (this.full && this.records.length <= QUEUE_LOW) {
      this.full = false;
      this.onRoom();
    }
  }

  /** Drops all of them. */
  clear(): void {
    this.records = [];
    this.full = false;
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
}
