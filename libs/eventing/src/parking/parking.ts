import type { PublicEvent } from '../ports/bus';
import type { Position } from '../events/event';
import type { SqlTransaction } from '../ports/read-models';

/** A public event and where it stands in the log or topic. */
export interface Located {
  readonly message: PublicEvent;
  readonly position: Position;
}

/** A message that waits: the first of its key has failed `tries` times, those behind it wait for it. */
export interface Parked extends Located {
  readonly tries: number;
  /** Wall time (ms); null: waits for `tender ops parked`. */
  readonly next_try_ms: number | null;
}

/**
 * SQL for the rows of `parked` whose `next_try_ms` is null: each is the first of its key, and nothing happens
 * until an operator acts. Those behind one have a time that is over.
 */
export const WAITS_FOR_OPERATOR = 'next_try_at is null';

/** What failed, beside the message. */
export interface Failure {
  readonly tries: number;
  readonly next_try_ms: number | null;
  readonly error: string;
}

/**
 * What one consumer keeps for one mode, or for one lane of it: a checkpoint and its parked messages, in one
 * database. A lane is the part of a consumer that handles one partition.
 */
export interface ConsumerRecords {
  transaction<Result>(work: (tx: SqlTransaction) => Promise<Result>): Promise<Result>;
  checkpoint(): Promise<Position | null>;
  /** Throws when it does not stand at `from` (the database was set back), or is another process's. */
  saveCheckpoint(tx: SqlTransaction, position: Position, from?: Position | null): Promise<void>;
  /** This process has ceased to consume: the next `checkpoint` takes the consumer over anew. */
  release(): void;
  noteProgress(position: Position): void;
  /** Keys that have parked messages. */
  parkedKeys(): Promise<readonly string[]>;
  /** Null failure: it only waits behind another one. In the order given. */
  park(tx: SqlTransaction, messages: readonly Located[], failure: Failure | null): Promise<void>;
  /** The oldest parked message of each key, where it may be tried by `wall_ms`; at most `limit`. */
  dueParked(wall_ms: number, limit: number): Promise<readonly Parked[]>;
  /** Wall time (ms) of the next try among the oldest of each key; null when there is none. */
  nextTry(): Promise<number | null>;
  unpark(tx: SqlTransaction, parked: Parked): Promise<void>;
  failedAgain(parked: Parked, failure: Failure): Promise<void>;
}
