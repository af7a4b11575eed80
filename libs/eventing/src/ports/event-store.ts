import type { Category, NewEvent, Position, StoredEvent, StreamName } from '../events/event';

/** The revision that the stream's last event must have; there is no "any". */
export type ExpectedRevision = 'no_stream' | number;

export type Appended =
  | { readonly ok: true; readonly events: readonly StoredEvent[]; readonly position: Position }
  /** Another writer was faster. `actual` is the stream's last revision, null when it does not exist. */
  | { readonly ok: false; readonly actual: number | null };

/**
 * The log. A repeated append (same event ids, same expected revision) answers as the first one did.
 * Throws `Unavailable` when the outcome is unknown or the store cannot be reached, and `UnstorableText`.
 */
export interface EventStore {
  append(
    stream: StreamName,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended>;

  /** Oldest first; empty when the stream does not exist. */
  load(stream: StreamName): Promise<readonly StoredEvent[]>;

  /**
   * Where the newest event of the whole log is, whatever its category; null when there is none. It comes before
   * no position that a follower of any process was handed before. Throws `Unavailable`.
   */
  newest(): Promise<Position | null>;

  /** True when `position` comes before `other` in this log. */
  isBefore(position: Position, other: Position): boolean;

  /**
   * Hands over the events of these categories after `from` (null: from the beginning) in log order,
   * in batches, each once `onEvents` of the one before has resolved. Never skips an event, under any
   * number of concurrent writers. `onEvents` that rejects is called again with the same batch.
   */
  follow(options: FollowOptions): Follower;
}

export interface FollowOptions {
  /** For logs and metrics. */
  readonly name: string;
  readonly categories: readonly Category[];
  readonly from: Position | null;
  /** Events in a batch at most; 500 unless told. */
  readonly batch_max?: number;
  /** Milliseconds between the starts of batches under load, after a few at once; 0 unless told. */
  readonly pace_ms?: number;
  onEvents(events: readonly StoredEvent[]): Promise<void>;
  /**
   * Everything up to `position` was handed over, though the last events were of other categories.
   * `wall_ms`: no event of these categories that was recorded before that time is still to come.
   * Answers at once where it has nothing to write, as most of the time; it may be called while an append is answered.
   */
  onProgress?(position: Position, wall_ms: number): Promise<void> | void;
}

export interface Follower {
  /** Resolves when everything that was in the log at the time of the call has been handled. */
  idle(): Promise<void>;
  /** Resolves when the event at `position` has been handled, or after `timeout_ms`: false. */
  reached(position: Position, timeout_ms: number): Promise<boolean>;
  /** Lets the running batch end. */
  stop(): Promise<void>;
}
