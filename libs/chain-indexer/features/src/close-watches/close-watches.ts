import type { Sql } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import type { NetworkMemory } from '../network-memory/network-memory';
import type { ChainStreams } from '../settle-credits/chain-streams';
import { watchesByReference, type StoredWatch } from '../watch-payments/watch.record';

/** Appends in flight at once: enough to fill the log's batches, few enough to leave it to others. */
const PARALLEL_MAX = 250;

/**
 * Closes the open watches that expired before `watermark_ms`, up to which the chain was seen whole; those of the
 * payments in `paid` have just been paid. Answers the watches that are at their end. A watch whose row is not
 * committed yet waits for the next pass.
 */
export async function closeWatches(
  sql: Sql,
  { book, mode }: NetworkMemory,
  streams: ChainStreams,
  watermark_ms: number | null,
  paid: ReadonlyMap<string, string>,
): Promise<readonly StoredWatch[]> {
  if (watermark_ms === null) return [];
  const expired = book.expiredBy(watermark_ms).filter(({ payment_id }) => !paid.has(payment_id));
  const closed: StoredWatch[] = [];
  for (let start = 0; start < expired.length; start += PARALLEL_MAX) {
    const references = expired.slice(start, start + PARALLEL_MAX).map(({ reference }) => reference);
    const rows = await watchesByReference(sql, mode, references);
    await Promise.all(
      rows.filter(({ state }) => state === 'open').map((watch) => close(streams, watch, watermark_ms)),
    );
    closed.push(...rows);
  }
  return closed;
}

async function close(streams: ChainStreams, watch: StoredWatch, watermark_ms: number) {
  const { payment_id, merchant_id, correlation_id } = watch;
  await streams.watch(
    payment_id,
    { type: 'CloseWatch', payment_id, merchant_id, watermark: isoTime(watermark_ms) },
    { command_id: `close:${payment_id}`, merchant_id, correlation_id },
  );
}
