import { LRUCache } from 'lru-cache';
import type { StoredEvent, StreamName } from '@tender/eventing';

/** Of all streams in memory together. */
const EVENTS_MAX = 4_096;
/** Of one stream: a longer one is copied at every append. */
const STREAM_MAX = 256;

type Events = readonly StoredEvent[];

/**
 * Streams in memory, where one process alone writes the log: what it has read it knows from then on by what it appends,
 * so that a command and all that follows from it read a stream once. Of a stream whose last append has no answer,
 * nothing is known.
 */
export class KnownStreams {
  private readonly known = new LRUCache<StreamName, Events>({
    maxSize: EVENTS_MAX,
    maxEntrySize: STREAM_MAX,
    sizeCalculation: (events) => 1 + events.length,
  });
  /** The newest read of each, while it is under way. Once it is not here, it may lack an append. */
  private readonly reads = new Map<StreamName, symbol>();
  private readonly unanswered = new Set<StreamName>();

  constructor(private readonly read: (stream: StreamName) => Promise<Events>) {}

  async load(stream: StreamName): Promise<Events> {
    return this.known.get(stream) ?? this.learn(stream);
  }

  /** A read may have seen them before: what is committed is in the table before its append is answered. */
  appended(stream: StreamName, events: Events): void {
    this.reads.delete(stream);
    const before = this.known.get(stream);
    if (!before) return;
    const last = before.at(-1)?.revision ?? -1;
    this.known.set(stream, [...before, ...events.filter(({ revision }) => revision > last)]);
  }

  /** Another append was there before. */
  forget(stream: StreamName): void {
    this.reads.delete(stream);
    this.known.delete(stream);
  }

  /** An append has failed: whether the log has it is not known until this process writes anew. */
  doubt(stream: StreamName): void {
    this.forget(stream);
    this.unanswered.add(stream);
  }

  /** Before this process writes anew: others may have written meanwhile. */
  forgetAll(): void {
    this.reads.clear();
    this.known.clear();
    this.unanswered.clear();
  }

  private async learn(stream: StreamName): Promise<Events> {
    const turn = Symbol(stream);
    this.reads.set(stream, turn);
    try {
      const events = await this.read(stream);
      const is_whole = this.reads.get(stream) === turn && !this.unanswered.has(stream);
      if (is_whole) this.known.set(stream, events);
      return events;
    } finally {
      if (this.reads.get(stream) === turn) this.reads.delete(stream);
    }
  }
}
