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
