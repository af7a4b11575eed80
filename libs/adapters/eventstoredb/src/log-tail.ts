import type { Category, StreamName } from '@tender/eventing';

/** Where an event is, and what it belongs to. */
export interface Place {
  readonly position: number;
  readonly stream: StreamName;
}

export interface LogTailOptions {
  /** The newest events of the whole log, newest first, at most so many. */
  readonly newest: (count: number) => AsyncIterable<Place>;
  readonly wall: () => number;
  /** How long after it was recorded an event may still enter the log. */
  readonly late_ms: number;
}

/** More than the server looks at between two checkpoints. */
const PLACES_MAX = 2_000;

/**
 * The end of the log, and where each category's newest event is: a subscription says nothing of events that
 * are not its own, so this tells how far it has come when it has seen the last of its own.
 *
 * `wall_ms` is honest about late writers. Every process stamps `recorded_at` before it appends, gives an append
 * up after `append_timeout_ms`, and servers drop what was given up; clocks differ a little. So the time is taken
 * before the end is asked for, and `late_ms` (all of that together) is taken off.
 */
export class LogTail {
  private last = 0;
  private from = 0;
  private recorded_ms = 0;
  private readonly places = new Map<string, number>();
  private running: Promise<void> | null = null;
  private queued: Promise<void> | null = null;
  private known = false;

  constructor(private readonly options: LogTailOptions) {}

  /** Position of the newest event of any category. */
  get end(): number {
    return this.last;
  }

  /** What this knows of categories begins here. */
  get covers_from(): number {
    return this.from;
  }

  /** No event recorded before it comes after `end`. */
  get wall_ms(): number {
    return this.recorded_ms;
  }

  /** Position of the newest event of these categories; 0 where none was seen. */
  newestOf(categories: Iterable<Category>): number {
    let newest = 0;
    for (const category of categories) newest = Math.max(newest, this.places.get(category) ?? 0);
    return newest;
  }

  /** Looks again. What is in the log at the time of the call is known afterwards. */
  refresh(): Promise<void> {
    if (!this.running) return this.start();
    // The one under way may have looked before this call.
    this.queued ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.queued = null;
        return this.start();
      });
    return this.queued;
  }

  private start(): Promise<void> {
    this.running = this.look().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async look(): Promise<void> {
    const wall_ms = this.options.wall() - this.options.late_ms;
    const count = this.known ? PLACES_MAX : 1;
    let end = 0;
    let oldest = 0;
    let seen = 0;
    for await (const { position, stream } of this.options.newest(count)) {
      end = Math.max(end, position);
      if (position <= this.last) break;
      oldest = position;
      seen += 1;
      this.note(stream, position);
    }
    // More was written than was looked at: what lies between is not known.
    if (seen === count) this.from = oldest;
    this.known = true;
    this.last = end;
    this.recorded_ms = wall_ms;
  }

  private note(stream: StreamName, position: number): void {
    const dash = stream.indexOf('-');
    if (dash <= 0 || stream.startsWith('$')) return;
    const category = stream.slice(0, dash);
    if (position > (this.places.get(category) ?? 0)) this.places.set(category, position);
  }
}
