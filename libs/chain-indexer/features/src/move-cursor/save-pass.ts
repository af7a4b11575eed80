import type { NetworkMemory } from '../network-memory/network-memory';
import { holdCredits, releaseCredits } from '../settle-credits/held-credit.record';
import type { Outcome } from '../settle-credits/settle-transactions';
import { markLookedUp, endWatches } from '../watch-payments/watch.record';
import type { CursorLease } from './cursor-lease';
import type { PlacedCursor } from './cursor.record';

/** What a pass has appended to the log, for the records. */
export interface PassResult {
  readonly outcome: Outcome;
  /** References of watches that were looked up on the chain. */
  readonly looked_up: readonly string[];
  /** Ids of held credits that need not be held any longer. */
  readonly reported: readonly string[];
  readonly closed: readonly { readonly reference: string }[];
}

/** Moves the cursor together with the records of the pass, then brings memory up to them. */
export async function savePass(
  lease: CursorLease,
  memory: NetworkMemory,
  to: PlacedCursor,
  { outcome, looked_up, reported, closed }: PassResult,
): Promise<void> {
  const ends = outcome.paid.size + closed.length;
  const others = outcome.held.size + looked_up.length + reported.length;
  if (to.slot === lease.cursor?.slot && ends + others === 0) return lease.renew();

  const held = [...outcome.held.values()];
  const ended = [
    ...[...outcome.paid.values()].map((reference) => ({ reference, state: 'paid' as const })),
    ...closed.map(({ reference }) => ({ reference, state: 'closed' as const })),
  ];
  const ending = new Set(ended.map(({ reference }) => reference));
  const stillOpen = looked_up.filter((reference) => !ending.has(reference));
  const newly_ended = await lease.move(to, async (tx) => {
    const newly = await endWatches(tx, ended);
    await markLookedUp(tx, stillOpen);
    await holdCredits(tx, memory.mode, held);
    await releaseCredits(tx, memory.mode, reported);
    return newly;
  });
  const references = [...newly_ended, ...closed.map(({ reference }) => reference)];
  memory.update(held, reported, looked_up, references);
}
