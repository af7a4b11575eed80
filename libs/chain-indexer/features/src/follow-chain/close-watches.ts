import type { Watch } from '@tender/chain-indexer-domain';
import type { Sql } from '@tender/eventing';
import { isoTime, type Mode } from '@tender/kernel';
import { watchesByReference, type StoredWatch } from '../watch-payments/watch.record';
import type { ChainStreams } from './chain-streams';

/** Appends in flight at once: enough to fill the log's batches, few enough to leave it to others. */
const PARALLEL_MAX = 250;

/**
 * Says of expired watches that the chain was seen whole past their expiry. Answers the watches that
 * are at their end. A watch whose row is not committed yet waits for the next block.
 */
export async function closeWatches(
  sql: Sql,
  mode: Mode,
  streams: ChainStreams,
  expired: readonly Watch[],
  watermark_ms: number,
): Promise<readonly StoredWatch[]> {
  const closed: StoredWatch[] = [];
  for (let start = 0; start < expired.length; start += PARALLEL_MAX) {
    const references = expired.slice(start, start + PARALLEL_MAX).map(({ reference }) => reference);
    const rows = await watchesByReference(sql, mode, references);
    await Promise.all(
      rows
        .filter(({ state }) => state === 'open')
        .map(async ({ payment_id, merchant_id, correlation_id }) => {
          const watermark = isoTime(watermark_ms);
          await streams.watch(
            payment_id,
            { type: 'CloseWatch', payment_id, merchant_id, watermark },
            { command_id: `close:${payment_id}`, merchant_id, correlation_id },
          );
        }),
    );
    closed.push(...rows);
  }
  return closed;
}
