import type { Fold, Projection } from './projection';
import type { Category, FoldedEvent, Position, StoredEvent, StreamMode } from '../events/event';
import { besideFollower, generationTable } from './generations';
import type { EventStore } from '../ports/event-store';
import type { LogLag } from '../ports/log-lag';
import type { ReadModels, Sql } from '../ports/read-models';

/** A log for a process that only reads: it takes no lock, and nothing is written through it. */
export interface ReplayLog extends LogLag, Pick<EventStore, 'load'> {
  isBefore(position: Position, other: Position): boolean;
  /**
   * Events of these categories after `from` (null: from the first one) in log order, up to `until`, or up to
   * what is final at the time of the call when that is null. `until` must be final: a saved checkpoint is.
   */
  batches(
    categories: readonly Category[],
    from: Position | null,
    until: Position | null,
    batch_max: number,
  ): AsyncIterable<readonly StoredEvent[]>;
  /** The same for a fold, where the log need not read all of an event. */
  foldedBatches(
    ...range: Parameters<ReplayLog['batches']>
  ): AsyncIterable<readonly FoldedEvent[]>;
  /** How many `batches` would hand over, more or less; null where only reading tells. */
  count(
    categories: readonly Category[],
    from: Position | null,
    until: Position | null,
  ): Promise<number | null>;
  close(): Promise<void>;
}

export const categoriesOf = ({ nouns }: Projection, mode: StreamMode): readonly Category[] =>
  nouns.map((noun): Category => `${noun}.${mode}`);

export interface LoadOptions {
  readonly log: ReplayLog;
  readonly readModels: ReadModels;
  readonly schema: string;
  readonly projection: Projection;
  readonly generation: number;
  readonly mode: StreamMode;
  /** A final position; null for all that is final now. */
  readonly until: Position | null;
  readonly signal?: AbortSignal;
  /** Events of one transaction, which are folded in memory and are what a kill costs; 25,000 unless told. */
  readonly chunk_max?: number;
  /** Events that are read at once; 2,500 unless told. */
  readonly batch_max?: number;
  /** After each chunk is committed. */
  onLoaded?(events: number): void;
}

const CHUNK_MAX = 25_000;
const BATCH_MAX = 2_500;

/**
 * Folds the log into a table that is not live, from where its checkpoint is. It has a log to read and tables to
 * write, and no bus, no outbound and no reactor: nothing can leave. False when the signal cut it short; what is
 * committed by then is not read again. Throws `Unavailable` when another process does the same.
 */
export async function loadGeneration(options: LoadOptions): Promise<boolean> {
  const { log, readModels, schema, projection, generation, mode, until } = options;
  const follower = besideFollower(projection.name, generation, mode);
  const table = generationTable(projection.table, generation);
  const from = await readModels.checkpoint(schema, follower);
  const { batch_max = BATCH_MAX } = options;
  const range = [categoriesOf(projection, mode), from, until, batch_max] as const;
  const load = { ...options, follower, from };
  const { fold } = projection;
  const is_whole = fold
    ? await loadBatches(load, log.foldedBatches(...range), (tx) => fold(tx, table))
    : await loadBatches(load, log.batches(...range), (tx) => eachApplied(projection, tx, table));
  if (!is_whole) return false;
  const saved = await readModels.checkpoint(schema, follower);
  // The events between are of other categories.
  if (until !== null && (saved === null || log.isBefore(saved, until))) {
    await readModels.transaction((tx) =>
      readModels.saveCheckpoint(tx, schema, follower, until),
    );
  }
  return true;
}

type Load = LoadOptions & { readonly follower: string; readonly from: Position | null };

/** One transaction for each chunk. False when the signal cut it short. */
async function loadBatches<Event extends FoldedEvent>(
  { readModels, schema, follower, from, signal, chunk_max = CHUNK_MAX, onLoaded }: Load,
  batches: AsyncIterable<readonly Event[]>,
  begin: (tx: Sql) => Fold<Event>,
): Promise<boolean> {
  const unread = batches[Symbol.asyncIterator]();

  /** Events that it has folded and committed; fewer than a chunk at the end and at a signal. */
  const loadChunk = async (tx: Sql): Promise<number> => {
    const fold = begin(tx);
    let events = 0;
    let position = from;
    while (events < chunk_max && !signal?.aborted) {
      const { done, value: batch } = await unread.next();
      if (done) break;
      await fold.add(batch);
      events += batch.length;
      position = (batch.at(-1) as Event).position;
    }
    if (position !== null && events > 0) {
      await fold.write();
      await readModels.saveCheckpoint(tx, schema, follower, position);
    }
    return events;
  };

  try {
    for (;;) {
      const events = await readModels.transaction(loadChunk);
      if (events > 0) onLoaded?.(events);
      if (signal?.aborted) return false;
      if (events < chunk_max) return true;
    }
  } finally {
    await unread.return?.();
  }
}

/** For a table whose rows are not folded in memory. */
const eachApplied = (projection: Projection, tx: Sql, table: string): Fold<StoredEvent> => ({
  add: (events) => projection.apply(events, tx, table),
  write: () => Promise.resolve(),
});
