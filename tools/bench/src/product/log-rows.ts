import { withClient } from '../machine/postgres';

/** How many events of a type the log holds. */
export const countEvents = (connection_string: string, type: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM log.events WHERE type = $1',
      [type],
    );
    return Number(rows[0]?.count);
  });

export const newestPosition = (connection_string: string): Promise<string> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ position: string }>(
      'SELECT max(position)::text AS position FROM log.events',
    );
    return rows[0]?.position as string;
  });

export interface Recorded {
  readonly count: number;
  /** Wall time (ms) of the newest one; null where there is none. */
  readonly last_ms: number | null;
}

/** How many events of a type were recorded since that wall time (ms), and when the last of them was. */
export const recordedSince = (
  connection_string: string,
  type: string,
  since_ms: number,
): Promise<Recorded> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: number; last_ms: number | null }>(
      `select count(*)::integer as count, extract(epoch from max(recorded_at))::float8 * 1000 as last_ms
        from (select (metadata::json->>'recorded_at')::timestamptz as recorded_at
          from log.events where type = $1) as of_type
        where recorded_at >= to_timestamp($2::float8 / 1000)`,
      [type, since_ms],
    );
    return rows[0] as Recorded;
  });

/** How many payments were screened as they were made. */
export const countScreenings = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM fraud.screenings WHERE stage = 'create'`,
    );
    return Number(rows[0]?.count);
  });
