import type { Client } from 'pg';
import { batchRows, INSERT_BATCH, INSERT_ONE, oneRow, type Ask } from './event-rows';

/** For the only writer of a log: at the positions that it has given out. */
export async function insertAsks(
  committer: Client,
  asks: readonly Ask[],
): Promise<(ask: Ask) => boolean> {
  const only = asks[0] as Ask;
  if (asks.length === 1 && only.events.length === 1) {
    const { rowCount } = await committer.query({ ...INSERT_ONE, values: oneRow(only) });
    return () => rowCount === 1;
  }
  const { rows } = await committer.query<{ taken: string | null }>({
    ...INSERT_BATCH,
    values: batchRows(asks),
  });
  const taken = new Set((rows[0]?.taken ?? '').split(','));
  return (ask) => taken.has(String(ask.position));
}
