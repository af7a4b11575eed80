import type { Category, Position } from '../events/event';

/** No operator needs to know more exactly how far behind a follower is. */
export const LAG_EVENTS_MAX = 10_000;

export interface Lag {
  /** Events of the categories that are still to be handled; at most `LAG_EVENTS_MAX`. */
  readonly events: number;
  /** There are more than `events`. */
  readonly capped: boolean;
  /** How long ago the oldest of them was recorded; 0 when there is none. */
  readonly seconds: number;
}

/** How far behind a follower is. Never from positions: they need not be dense. */
export interface LogLag {
  /** Of events of these categories after `from` (null: from the beginning). Throws `Unavailable`. */
  lag(categories: readonly Category[], from: Position | null): Promise<Lag>;
}
