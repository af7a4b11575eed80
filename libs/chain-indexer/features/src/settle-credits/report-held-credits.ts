import type { Runtime } from '@tender/eventing';
import type { NetworkMemory } from '../network-memory/network-memory';
import type { ChainStreams } from './chain-streams';

/** Wall time for which money without a payment waits for one, beside the bus being up to date. */
const HOLD_MS = 2_000;

/**
 * Reports money that names no payment to the owners of its wallet, once the indexer has heard of every payment
 * that was recorded before it saw the money. The wait alone would do in one process; the bus must have come
 * along as well. Answers the ids of the credits that need not be held any longer.
 */
export async function reportHeldCredits(
  clock: Runtime['clock'],
  memory: NetworkMemory,
  streams: ChainStreams,
  heard_wall_ms: number,
): Promise<string[]> {
  const reported: string[] = [];
  const wall_ms = clock.wall();
  for (const { credit_id, wallet, seen_wall_ms } of memory.held.values()) {
    if (seen_wall_ms > heard_wall_ms || wall_ms < seen_wall_ms + HOLD_MS) continue;
    const merchant_ids = memory.book.merchantsOf(wallet);
    if (merchant_ids.length > 0) {
      const cause = {
        command_id: `report:${credit_id}`,
        merchant_id: null,
        correlation_id: null,
      };
      await streams.credit(credit_id, { type: 'ReportCredit', merchant_ids }, cause);
    }
    reported.push(credit_id);
  }
  return reported;
}
