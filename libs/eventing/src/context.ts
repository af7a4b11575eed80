import type { Timer } from './aggregates/due';
import type { Category, StoredEvent } from './events/event';
import type { Publication } from './ports/bus';
import type { Sql } from './ports/read-models';

/** A table folded from the log, and nothing else. `name` is `context.view@version`. */
export interface Projection {
  readonly name: string;
  /** Nouns of the streams it reads, without the mode. */
  readonly nouns: readonly string[];
  /** `all` for accounts; both modes otherwise. */
  readonly modes: readonly ('test' | 'live' | 'all')[];
  /** The view that everybody reads, qualified; behind it is one table per generation (settled 23). */
  readonly table: string;
  /**
   * Folds into `table`, the one of a generation, whose primary key is there. In one transaction with the
   * checkpoint; a position is never handed over twice to the same generation.
   */
  apply(events: readonly StoredEvent[], tx: Sql, table: string): Promise<void>;
  /** The same for many batches of one transaction, whose rows are written once: for a rebuild. */
  fold?(tx: Sql, table: string): Fold;
}

/** Batches that are folded in memory. Nothing of them is in the table before `write`. */
export interface Fold {
  /** Later events than those before. */
  add(events: readonly StoredEvent[]): Promise<void>;
  write(): Promise<void>;
}

/** A loop of a context that waits for something else than an event: due attempts, new blocks. */
export interface Worker {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * Business time (ms) of the next thing to do, null when there is none. A test clock stops there; what is
   * not done then waits for a block of that time.
   */
  nextDue(): Promise<number | null>;
  /** Nothing that is due by now is undone or under way. */
  idle(): Promise<void>;
}

/** All that a bounded context is, on one screen: `<context>.context.ts`. */
export interface Context {
  readonly name: string;
  /** Its schema in the read-model database. */
  readonly schema: string;
  /** TypeORM migration classes, oldest first. */
  readonly migrations: readonly (new () => unknown)[];
  /** TypeORM entity classes. */
  readonly entities: readonly (new () => object)[];
  readonly projections: readonly Projection[];
  /** What is to happen to its objects at times that they tell (`due`). */
  readonly timers?: readonly Timer[];
  /** Which streams speak in public, and what they say. */
  readonly publishes: {
    readonly categories: readonly Category[];
    readonly publish: (event: StoredEvent) => Publication | null;
  };
}
