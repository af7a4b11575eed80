import type { NetworkMemory } from '../network-memory/network-memory';
import type { LookedUp } from '../read-blocks/watch-look-ups';
import { holdCredits, releaseCredits } from '../settle-credits/held-credit.record';
import type { Outcome } from '../settle-credits/settle-transactions';
import { endWalletLookUps } from '../watch-merchants/wallet-look-up.record';
import { markLookedUp, endWatches } from '../watch-payments/watch.record';
import { endSubmissions } from '../watch-submissions/submission.record';
import type { CursorLease } from './cursor-lease';
import type { PlacedCursor } from './cursor.record';

/** What a pass has appended to the log, for the records. */
export interface PassResult {
  readonly outcome: Outcome;
  /** What was looked up on the chain. */
  readonly looked_up: LookedUp;
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
  const { keys, signatures } = looked_up;
  const landed = [...outcome.landed];
  const submissions = landed.length + signatures.length;
  const others = outcome.held.size + keys.length + reported.length + submissions;
  if (ends + others === 0) {
    return to.slot === lease.cursor?.slot ? lease.renew() : lease.movePast(to);
  }

  const held = [...outcome.held.values()];
  const ended = [
    ...[...outcome.paid.values()].map((reference) => ({ reference, state: 'paid' as const })),
    ...closed.map(({ reference }) => ({ reference, state: 'closed' as const })),
  ];
  const ending = new Set(ended.map(({ reference }) => reference));
  const stillOpen = keys.filter((key) => !ending.has(key));
  const newly_ended = await lease.move(to, async (tx) => {
    const newly = await endWatches(tx, ended);
    await markLookedUp(tx, stillOpen);
    await endWalletLookUps(tx, memory.mode, keys);
    await holdCredits(tx, memory.mode, held);
    await releaseCredits(tx, memory.mode, reported);
    await endSubmissions(tx, memory.mode, landed);
    return newly;
  });
  const references = [...newly_ended, ...closed.map(({ reference }) => reference)];
  memory.update(held, reported, keys, references, { looked_up: signatures, landed });
}
