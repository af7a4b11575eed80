import { signatureOfCredit } from '@tender/chain-indexer-domain';
import type { Runtime } from '@tender/eventing';
import type { HeardTimes, NetworkMemory } from '../network-memory/network-memory';
import { sendersOf } from '../watch-operating-wallets/outgoing-transfer.record';
import type { ChainStreams } from './chain-streams';
import type { HeldCredit } from './held-credit.record';

/** Wall time for which money without a payment waits for one, beside the bus being up to date. */
const HOLD_MS = 2_000;
/**
 * Wall time for which other money waits until it is heard what left operating wallets: such a wallet may itself not
 * have been heard of. Longer, and all receipts would stop where treasury does.
 */
const STRANGER_HOLD_MS = 60_000;

/**
 * Reports money that names no payment to the owners of its wallet, once the indexer has heard of every payment
 * that was recorded before it saw the money, and of every transfer out of an operating wallet; for that, money waits
 * a minute where it comes from no operating wallet that is known. The wait alone would do in one process; the bus must
 * have come along as well. Answers the ids of the credits that need not be held any longer.
 */
export async function reportHeldCredits(
  { clock, readModels }: Pick<Runtime, 'clock' | 'readModels'>,
  memory: NetworkMemory,
  streams: ChainStreams,
  heard: HeardTimes,
): Promise<string[]> {
  const wall_ms = clock.wall();
  const due = [...memory.held.values()].filter((credit) => isDue(credit, heard, wall_ms));
  const signatures = due.map(({ credit_id }) => signatureOfCredit(credit_id));
  const senders = await sendersOf(readModels, memory.mode, signatures);
  for (const { credit_id, wallet } of due) {
    const merchant_ids = memory.book.wallets.merchantsOf(wallet);
    if (merchant_ids.length > 0) {
      const cause = {
        command_id: `report:${credit_id}`,
        merchant_id: null,
        correlation_id: null,
      };
      const sent_by = senders.get(signatureOfCredit(credit_id)) ?? null;
      await streams.credit(credit_id, { type: 'ReportCredit', merchant_ids, sent_by }, cause);
    }
  }
  return due.map(({ credit_id }) => credit_id);
}

function isDue(
  { seen_wall_ms, of_operating_wallet }: HeldCredit,
  heard: HeardTimes,
  wall_ms: number,
): boolean {
  const held_ms = wall_ms - seen_wall_ms;
  if (seen_wall_ms > heard.payments || held_ms < HOLD_MS) return false;
  return seen_wall_ms <= heard.transfers || (!of_operating_wallet && held_ms >= STRANGER_HOLD_MS);
}
