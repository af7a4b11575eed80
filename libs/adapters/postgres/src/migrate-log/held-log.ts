import { Pool } from 'pg';
import type { Category, LogSource, Position, StoredEvent } from '@tender/eventing';
import { namedFailure } from '../connections/database-failures';
import { STORED_EVENT } from '../log/event-rows';
import { readJsonColumns } from '../connections/json-columns';
import { postgresEventStore, type PostgresEventStoreOptions } from '../log/postgres-event-store';

export type HeldLog = LogSource & {
  /** Throws `LogIsTaken` while a program writes this log. */
  start(): Promise<void>;
  close(): Promise<void>;
};

const PAGE = 1_000;
const SELECT_PAGE = `select ${STORED_EVENT} from log.events
  where position > $1 order by position limit ${PAGE}`;
const SELECT_CATEGORIES = 'select distinct category from log.events order by category';

/** A Postgres log from one end to the other, held so that no program writes it meanwhile. */
export function heldPostgresLog(
  options: Pick<PostgresEventStoreOptions, 'connectionString' | 'clock' | 'log' | 'lock_wait_ms'>,
): HeldLog {
  readJsonColumns();
  // One process at a time may write alone: holding that right is all that this store is for.
  const holder = postgresEventStore({ ...options, committers_max: 1 });
  const pool = new Pool({
    connectionString: options.connectionString,
    application_name: 'tender log migration',
    max: 1,
  });
  pool.on('error', (error) => options.log.warn({ err: error }, 'the old log lost a connection'));

  return {
    start: () => holder.start(),
    async categories() {
      const rows = await select<{ category: Category }>(SELECT_CATEGORIES);
      return rows.map(({ category }) => category);
    },
    async *pages(after: Position | null): AsyncGenerator<readonly StoredEvent[]> {
      let last: Position = after ?? '0';
      for (;;) {
        const rows = await select<StoredEvent>(SELECT_PAGE, [last]);
        if (rows.length === 0) return;
        last = (rows.at(-1) as StoredEvent).position;
        yield rows;
      }
    },
    async close() {
      await holder.close();
      await pool.end();
    },
  };

  async function select<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      return (await pool.query(text, [...values])).rows as Row[];
    } catch (error) {
      throw namedFailure('old event log', error);
    }
  }
}
