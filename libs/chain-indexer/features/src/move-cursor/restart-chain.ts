import type { ReadModels } from '@tender/eventing';
import type { Mode } from '@tender/kernel';

/**
 * Lets the indexer of a mode go on at the newest block of whichever chain answers next: what it remembers of the
 * chain before is void. Open watches are looked up there, since blocks that are not read may name them. A process
 * that follows the mode finds the cursor moved. Answers how many are open; null where no chain was followed yet.
 */
export async function restartChain(
  readModels: Pick<ReadModels, 'transaction'>,
  mode: Mode,
): Promise<number | null> {
  return readModels.transaction(async (tx) => {
    const cursors = await tx.query(
      `update chain_indexer.cursors
          set genesis_hash = null, slot = null, watermark_ms = null, moved_wall_ms = null
        where mode = $1 and slot is not null returning mode`,
      [mode],
    );
    if (cursors.length === 0) return null;
    const open = await tx.query(
      `update chain_indexer.watches set lookup_due = true
        where mode = $1 and state = 'open' returning reference`,
      [mode],
    );
    return open.length;
  });
}
