import type { Position } from '@tender/eventing';

/** What Kafka says of a partition when a lane begins. */
export interface LaneStart {
  /** Where the group stands by Kafka's account; null when it has not said. */
  readonly committed: bigint | null;
  /** The checkpoint in the database when it said so. */
  readonly checkpoint: Position | null;
  /** The oldest record that is still there. */
  readonly oldest: bigint;
  /** Of the record that will come next. */
  readonly end: bigint;
}

export interface LaneBeginning {
  readonly offset: bigint;
  /** The database has lost what Kafka knows to be done: it was restored from an older copy. */
  readonly is_set_back: boolean;
  /** Retention has taken records that this group had not read. */
  readonly has_gap: boolean;
}

/** `saved` is the checkpoint in the database: it is the truth, and Kafka's offset is worth what it says of it. */
export function beginningOf(
  { committed, checkpoint, oldest, end }: LaneStart,
  saved: Position | null,
  isBefore: (position: Position, other: Position) => boolean,
): LaneBeginning {
  const is_set_back = checkpoint !== null && (saved === null || isBefore(saved, checkpoint));
  // Beyond the end: the broker has lost its newest records, or the topic was made anew.
  const is_worth = committed !== null && committed <= end && !is_set_back;
  const from = is_worth ? committed : oldest;
  return {
    offset: from > oldest ? from : oldest,
    is_set_back,
    has_gap: committed !== null && committed < oldest,
  };
}
