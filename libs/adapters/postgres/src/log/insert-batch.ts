import type { Client } from 'pg';
import { ask } from '../connections/ask';
import { preparedStatement } from '../connections/prepared-statement';
import { batchRows, INSERT_BATCH, INSERT_ONE, oneRow, type PendingAppend } from './event-rows';

/** For the only writer of a log: at the positions that it has given out. */
export async function insertBatch(
  committer: Client,
  appends: readonly PendingAppend[],
): Promise<(append: PendingAppend) => boolean> {
  const only = appends[0] as PendingAppend;
  if (appends.length === 1 && only.events.length === 1) {
    const { rowCount } = await ask(committer, { ...INSERT_ONE, values: oneRow(only) });
    return () => rowCount === 1;
  }
  const { rows } = await ask<{ taken: string | null }>(
    committer,
    preparedStatement(INSERT_BATCH, batchRows(appends)),
  );
  const taken = new Set((rows[0]?.taken ?? '').split(','));
  return (append) => taken.has(String(append.position));
}
