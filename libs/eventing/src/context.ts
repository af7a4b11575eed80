import type { Timer } from './aggregates/due';
import type { Category, StoredEvent } from './events/event';
import type { InvariantCheck } from './invariants/invariant-check';
import type { Publication } from './ports/bus';
import type { Projection } from './projections/projection';

/** A loop of a context that waits for something else than an event: due attempts, new blocks. */
export interface Worker {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Business time (ms) of the next thing to do, null when there is none. A test clock stops there; what is
   * not done then waits for a block of that time. Absent where nothing waits for a time.
   */
  nextDue?(): Promise<number | null>;
  /** Nothing that is due by now is undone or under way. Absent where no test clock waits for it. */
  idle?(): Promise<void>;
}

/** All that a bounded context is, on one screen: `<context>.context.ts`. */
export interface Context {
  readonly name: string;
  /** Its schema in the read-model database. */
  readonly schema: string;
  /** TypeORM migration classes, oldest first. */
  readonly migrations: readonly (new () => unknown)[];
  readonly projections: readonly Projection[];
  /** What is to happen to its objects at times that they tell (`due`). */
  readonly timers?: readonly Timer[];
  /** What must hold of its objects, and is looked at each hour while its process leads. */
  readonly invariants?: readonly InvariantCheck[];
  /** Which streams speak in public, and what they say. */
  readonly publishes: {
    readonly categories: readonly Category[];
    readonly publish: (event: StoredEvent) => Publication | null;
  };
}
