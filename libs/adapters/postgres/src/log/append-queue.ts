import type { StreamName } from '@tender/eventing';
import type { PendingAppend } from './event-rows';

const APPENDS_PER_BATCH = 256;
const EVENTS_PER_BATCH = 1_024;

/** Waiting appends in order of arrival, a stream's one behind the other: it is in one batch at a time. */
export class AppendQueue {
  private ready: PendingAppend[] = [];
  private ready_from = 0;
  /** Streams with an append that is ready or in a batch, and what waits behind it. */
  private readonly behind = new Map<StreamName, PendingAppend[] | null>();
  private waiting = 0;

  get size(): number {
    return this.waiting;
  }

  get hasReady(): boolean {
    return this.ready_from < this.ready.length;
  }

  add(append: PendingAppend): void {
    this.waiting += 1;
    const others = this.behind.get(append.stream);
    if (others === undefined) {
      this.behind.set(append.stream, null);
      this.ready.push(append);
    } else if (others === null) {
      this.behind.set(append.stream, [append]);
    } else {
      others.push(append);
    }
  }

  takeBatch(): PendingAppend[] {
    const batch: PendingAppend[] = [];
    let events = 0;
    while (this.hasReady && batch.length < APPENDS_PER_BATCH) {
      const append = this.ready[this.ready_from] as PendingAppend;
      events += append.events.length;
      if (batch.length > 0 && events > EVENTS_PER_BATCH) break;
      this.ready_from += 1;
      batch.push(append);
    }
    if (!this.hasReady) {
      this.ready = [];
      this.ready_from = 0;
    }
    this.waiting -= batch.length;
    return batch;
  }

  /** The append of a batch has its outcome: the next one of its stream may go. */
  settled({ stream }: PendingAppend): void {
    const others = this.behind.get(stream);
    const next = others?.shift();
    if (next) this.ready.push(next);
    else this.behind.delete(stream);
  }

  /** Empties the queue; what is in a batch stays with its batch. */
  takeAll(): PendingAppend[] {
    const all = this.ready.slice(this.ready_from);
    for (const others of this.behind.values()) if (others) all.push(...others);
    this.ready = [];
    this.ready_from = 0;
    this.behind.clear();
    this.waiting = 0;
    return all;
  }
}
