import type { LookedFor } from '@tender/contracts';
import type { Sql } from '@tender/eventing';
import { isoTime } from '@tender/kernel';
import { readWatermark } from '../move-cursor/cursor.record';
import type { NetworkMemory } from '../network-memory/network-memory';
import { watchesByReference } from './watch.record';

/** Where a payment's money is looked for, and how far; null while the payment is not watched. */
export async function lookedForOf(
  sql: Sql,
  { mode, book }: Pick<NetworkMemory, 'mode' | 'book'>,
  reference: string,
): Promise<LookedFor | null> {
  // First how far: what was watched by then was looked for.
  const watermark_ms = await readWatermark(sql, mode);
  const [watch] = await watchesByReference(sql, mode, [reference]);
  if (!watch) return null;
  const { account, wallet } = watch;
  return {
    accounts: [...new Set([account, wallet])],
    up_to: watermark_ms === null ? null : isoTime(watermark_ms),
    // The one that leads makes the look-ups; the row may have come after its own was made.
    look_up_due: book.lookUps.has(reference),
  };
}
