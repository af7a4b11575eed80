import { TakenOver } from '@tender/adapter-postgres';
import type { ReadModels } from '@tender/eventing';

/** In the name of a generation that is kept beside the live one: its checkpoint may go, and its follower leaves it. */
const KEPT = '#';

/**
 * The tables as the followers of a leader use them: `tell` hears when another process has taken a checkpoint that
 * goes with the lease. It is never given back: the process that holds the lease has to begin a new term.
 */
export function tellTakenOver(readModels: ReadModels, tell: () => void): ReadModels {
  return {
    ...readModels,
    async transaction(work) {
      try {
        return await readModels.transaction(work);
      } catch (error) {
        const taken = error instanceof TakenOver && !error.released;
        if (taken && !error.part.includes(KEPT)) tell();
        throw error;
      }
    },
  };
}
