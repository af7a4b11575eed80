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

/** How many payments were screened as they were made. */
export const countScreenings = (connection_string: string): Promise<number> =>
  withClient(connection_string, async (client) => {
    const { rows } = await client.query<{ count: string }>(
      `SELECT count(*) FROM fraud.screenings WHERE stage = 'create'`,
    );
    return Number(rows[0]?.count);
  });
