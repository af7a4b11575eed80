import { Client } from 'pg';

/** The event table that the raw baselines write to: what an ordinary service would make. */
const TABLE = `
  CREATE TABLE IF NOT EXISTS bench_events (
    position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    stream text NOT NULL,
    revision integer NOT NULL,
    type text NOT NULL,
    data jsonb NOT NULL,
    recorded_at timestamptz NOT NULL DEFAULT now(),
    UNIQUE (stream, revision)
  )`;

/** One event by one prepared statement, in a transaction of its own. */
export const INSERT_EVENT = {
  name: 'insert-event',
  text: `INSERT INTO bench_events (stream, revision, type, data) VALUES ($1, 0, $2, $3)`,
};

/** An empty table, and nothing left to write down for earlier rounds. */
export async function emptyTable(connection_string: string): Promise<void> {
  const client = new Client({ connectionString: connection_string });
  await client.connect();
  await client.query(TABLE);
  await client.query('TRUNCATE bench_events RESTART IDENTITY');
  await client.query('CHECKPOINT');
  await client.end();
}

export async function countRows(connection_string: string): Promise<number> {
  const client = new Client({ connectionString: connection_string });
  await client.connect();
  const { rows } = await client.query<{ count: string }>('SELECT count(*) FROM bench_events');
  await client.end();
  return Number(rows[0]?.count);
}
