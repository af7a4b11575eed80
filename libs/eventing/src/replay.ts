import type { Projection } from './context';
import type { Category, Position, StoredEvent, StreamMode } from './event';
import { besideFollower, generationTable } from './generations';
import type { LogLag } from './log-lag';
import type { ReadModels } from './read-models';

/** A log for somebody who only reads: it takes no lock and nobody writes through it. */
export interface ReplayLog extends LogLag {
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
  /** Events of one transaction; 50,000 unless told. */
  readonly batch_max?: number;
  /** After each batch is committed. */
  onLoaded?(events: number): void;
}

/** Enough that a commit costs nothing, few enough to hold twice in memory. */
const LOAD_BATCH = 50_000;
/** Events of one statement. */
const FOLD_BATCH = 10_000;

/**
 * Folds the log into a table that is not live, from where its checkpoint is. It has a log to read and tables to
 * write, and no bus, no outbound and no reactor: nothing can leave. False when the signal cut it short; what is
 * committed by then is not read again. Throws `Unavailable` when another process does the same.
 */
export async function loadGeneration(options: LoadOptions): Promise<boolean> {
  const { log, readModels, schema, projection, generation, mode, until, signal } = options;
  const follower = besideFollower(projection.name, generation, mode);
  const table = generationTable(projection.table, generation);
  const from = await readModels.checkpoint(schema, follower);
  const save = (position: Position, events: readonly StoredEvent[]) =>
    readModels.transaction(async (tx) => {
      for (let start = 0; start < events.length; start += FOLD_BATCH) {
        await projection.apply(events.slice(start, start + FOLD_BATCH), tx, table);
      }
      await readModels.saveCheckpoint(tx, schema, follower, position);
    });

  let saved = from;
  const batch_max = options.batch_max ?? LOAD_BATCH;
  for await (const events of log.batches(categoriesOf(projection, mode), from, until, batch_max)) {
    if (signal?.aborted) return false;
    saved = (events.at(-1) as StoredEvent).position;
    await save(saved, events);
    options.onLoaded?.(events.length);
  }
  if (signal?.aborted) return false;
  // The events between are of other categories.
  if (until !== null && (saved === null || log.isBefore(saved, until))) await save(until, []);
  return true;
}
