import type { StreamMode } from '../events/event';
import type { SqlTransaction } from './read-models';

/** A public fact: `payments.payment-confirmed.v1`. Declared in contracts. */
export interface PublicEvent<Data = unknown> {
  readonly type: string;
  /** Made from the private event's id: the same on every delivery. */
  readonly id: string;
  readonly mode: StreamMode;
  /** The stream it tells of; order holds per key (P3). */
  readonly key: string;
  /** The stream revision: rising, with gaps. */
  readonly sequence: number;
  readonly merchant_id: string | null;
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Business and wall time, ISO 8601. */
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly data: Data;
}

/** What a context makes of its private events: `null` keeps one private. Pure. */
export type Publication = {
  readonly type: string;
  readonly data: unknown;
  readonly merchant_id?: string | null;
};

/** A run of messages, oldest first, and the transaction that also holds the consumer's checkpoint. */
export type BatchHandler = (batch: readonly PublicEvent[], tx: SqlTransaction) => Promise<void>;

export interface Subscription {
  /** `<context>.<verb-noun>`; owns a checkpoint per mode in that context's schema. */
  readonly consumer: string;
  readonly types: readonly string[];
  readonly handler: BatchHandler;
  /** Every message recorded before `wall_ms` has been handled or parked. */
  onProgress?(mode: StreamMode, wall_ms: number): void;
  /**
   * Wall time (ms) that progress is waited for; null while none is. Asked now and then: a bus that tells of progress
   * seldom tells of it at once while it has not told of that time.
   */
  awaits?(mode: StreamMode): number | null;
  /**
   * This process has taken messages of the mode over, at its start or later: another one may have handled
   * some of them, up to now, and no more from now on. What is kept in memory of the tables is to be read anew.
   */
  onTakeOver?(mode: StreamMode): void;
}

/**
 * At least once, in order per key, with a checkpoint of its own per consumer. A message that fails is
 * parked with the later ones of its key and tried again; other keys flow (P3).
 */
export interface Bus {
  consume(subscription: Subscription): Promise<Consumer>;
}

export interface Consumer {
  /** Everything public at the time of the call has been handled or parked. */
  idle(): Promise<void>;
  /** Wall time (ms) of the next try of what is parked; null when nothing is, or it waits for an operator. */
  nextTry(): Promise<number | null>;
  stop(): Promise<void>;
}
