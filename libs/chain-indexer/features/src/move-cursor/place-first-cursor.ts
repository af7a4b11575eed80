import type { Runtime } from '@tender/eventing';
import type { Mode } from '@tender/kernel';
import { moveCursor, type Cursor, type PlacedCursor } from './cursor.record';

/** Where the first start begins, before the newest slot: more than the clocks of two processes differ by. */
const BEFORE_FIRST_SLOTS = 64;

/**
 * For a network of which no block was ever read. The place is written before memory relies on it: were it
 * chosen anew after a failure, no process would read the blocks between the two.
 */
export async function placeFirstCursor(
  { chains, clock, readModels }: Pick<Runtime, 'chains' | 'clock' | 'readModels'>,
  mode: Mode,
  found: Cursor,
): Promise<PlacedCursor & { readonly moved_wall_ms: number }> {
  const chain = chains[mode];
  const genesis_hash = await chain.genesisHash();
  const slot = Math.max(0, (await chain.slot()) - BEFORE_FIRST_SLOTS);
  const moved_wall_ms = clock.wall();
  const first = { ...found, genesis_hash, slot, moved_wall_ms };
  await moveCursor(readModels, mode, found, first);
  return first;
}
