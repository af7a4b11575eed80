import { LRUCache } from 'lru-cache';
import type { StoredEvent, StreamName } from '@tender/eventing';

/** Of all streams in memory together. */
const EVENTS_MAX = 4_096;
/** Of one stream: a longer one is copied at every append. */
const STREAM_MAX = 256;

type Events = readonly StoredEvent[];

/** Reads of one stream that are under way beside each other. */
interface Reading {
  under_way: number;
  /** The newest revision that was appended or read meanwhile; -1 while there is none. */
  newest: number;
}

const lastOf = (events: Events): number => events.at(-1)?.revision ?? -1;

/**
 * Streams in memory, where one process alone writes the log: what it has read it knows from then on by what it appends,
 * so that a command and all that follows from it read a stream once. Of a stream whose last append has no answer,
 * nothing is known.
 *
 * Who has seen an event sees it in every later load. An event can be read before its append is answered, and of two
 * reads the later one can be the older: they go over several connections. So a read is kept only when it lacks nothing
 * that was appended or read while it was under way.
 */
export class KnownStreams {
  private readonly known = new LRUCache<StreamName, Events>({
    maxSize: EVENTS_MAX,
    maxEntrySize: STREAM_MAX,
    sizeCalculation: (events) => 1 + events.length,
  });
  /** What is begun anew is read anew: a read whose entry is not here any more is not kept. */
  private readonly readings = new Map<StreamName, Reading>();
  private readonly unanswered = new Set<StreamName>();

  constructor(private readonly read: (stream: StreamName) => Promise<Events>) {}

  async load(stream: StreamName): Promise<Events> {
    return this.known.get(stream) ?? this.learn(stream);
  }

  /** A read may have seen them before: what is committed is in the table before its append is answered. */
  appended(stream: StreamName, events: Events): void {
    const before = this.known.get(stream);
    this.hasSeen(stream, lastOf(events));
    if (!before) return;
    const last = lastOf(before);
    this.known.set(stream, [...before, ...events.filter(({ revision }) => revision > last)]);
  }

  /** Another append was there before. */
  forget(stream: StreamName): void {
    this.readings.delete(stream);
    this.known.delete(stream);
  }

  /** An append has failed: whether the log has it is not known until this process writes anew. */
  doubt(stream: StreamName): void {
    this.forget(stream);
    this.unanswered.add(stream);
  }

  /** Before this process writes anew: others may have written meanwhile. */
  forgetAll(): void {
    this.readings.clear();
    this.known.clear();
    this.unanswered.clear();
  }

  private async learn(stream: StreamName): Promise<Events> {
    const reading = this.readings.get(stream) ?? { under_way: 0, newest: -1 };
    this.readings.set(stream, reading);
    reading.under_way += 1;
    try {
      const events = await this.read(stream);
      const is_whole = lastOf(events) >= reading.newest;
      this.hasSeen(stream, lastOf(events));
      const is_current = this.readings.get(stream) === reading && !this.unanswered.has(stream);
      if (is_whole && is_current) this.known.set(stream, events);
      return events;
    } finally {
      reading.under_way -= 1;
      if (reading.under_way === 0 && this.readings.get(stream) === reading) {
        this.readings.delete(stream);
      }
    }
  }

  /** From now on nothing is known or kept that lacks it, be it read before what was begun anew. */
  private hasSeen(stream: StreamName, revision: number): void {
    const reading = this.readings.get(stream);
    if (reading) reading.newest = Math.max(reading.newest, revision);
    const kept = this.known.get(stream);
    if (kept && lastOf(kept) < revision) this.known.delete(stream);
  }
}
