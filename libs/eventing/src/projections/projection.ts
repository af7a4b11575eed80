import type { FoldedEvent, StoredEvent } from '../events/event';
import type { Sql } from '../ports/read-models';

/** A table folded from the log, and nothing else. `name` is `context.view@version`. */
export interface Projection {
  readonly name: string;
  /** Nouns of the streams it reads, without the mode. */
  readonly nouns: readonly string[];
  /** `all` for accounts; both modes otherwise. */
  readonly modes: readonly ('test' | 'live' | 'all')[];
  /** The view that all readers use, qualified; behind it is one table per generation (L9). */
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
export interface Fold<Event = FoldedEvent> {
  /** Later events than those before. */
  add(events: readonly Event[]): Promise<void>;
  write(): Promise<void>;
}
