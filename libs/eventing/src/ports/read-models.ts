import type { Position } from '../events/event';

/** One connection of the read-model database, inside or outside a transaction. */
export interface Sql {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

/** A transaction under way. */
export interface SqlTransaction extends Sql {
  /**
   * Called once it has committed, and where the answer to its commit is lost: for a worker that waits for what it
   * writes. Only a hint, so who waits must also look for itself. It must not throw.
   */
  afterCommit(tell: () => void): void;
}

/** Rows by a key, of a table that several schemas have under one name. */
export interface RowsByKey<Row extends object> {
  /** SQL for those of one schema whose `key`, a column, is in the parameter of this number: an array of text. */
  select(schema: string, parameter: number): string;
  /** Of what `select` answers, beside the key; it holds no value. */
  readonly row?: Row;
}

/**
 * The tables of one service: projections (rebuilt from the log) and records (primary data, L8).
 * Every service has its own schema, and in it `checkpoints` and `parked`.
 */
export interface ReadModels extends Sql {
  /**
   * Those rows, of one key. What is asked for in one turn of the event loop is one question, whatever the schemas:
   * the followers of a process look at their tables at the same moment, and so do its senders of mails.
   */
  rowsByKey<Row extends object>(
    rows: RowsByKey<Row>,
    schema: string,
    key: string,
  ): Promise<readonly Row[]>;
  transaction<Result>(work: (tx: SqlTransaction) => Promise<Result>): Promise<Result>;
  /**
   * Null when this follower has never saved one. The first call takes the follower over: a process that
   * still follows it fails from now on. Later calls only read, until `release`, until a swap of
   * generations has released it, or until the database was set back to before the take-over: then the next
   * call takes it over.
   */
  checkpoint(schema: string, follower: string): Promise<Position | null>;
  /**
   * Moves a checkpoint in the caller's transaction, at its end: the transaction throws when another process has taken
   * the follower over, and when it does not stand at `from`, where it was left: the database was set back.
   */
  saveCheckpoint(
    tx: Sql,
    schema: string,
    follower: string,
    position: Position,
    from?: Position | null,
  ): Promise<void>;
  /**
   * This process has ceased to follow: whatever it did with the follower has ended. The next `checkpoint`
   * takes it over anew.
   */
  release(schema: string, follower: string): void;
  /**
   * The follower's rows hold everything up to `position`, though its checkpoint was not moved: the last
   * events were not for it. Wakes `waitFor`; costs nothing.
   */
  noteProgress?(schema: string, follower: string, position: Position): void;
  /** Waits until that follower's checkpoint is at or past `position`; false after `timeout_ms`. */
  waitFor(
    schema: string,
    follower: string,
    position: Position,
    timeout_ms: number,
  ): Promise<boolean>;
}
