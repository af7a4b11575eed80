import { TakenOver } from '@tender/adapter-postgres';
import type { ReadModels } from '@tender/eventing';

/**
 * The tables as the followers of a leader use them: `tell` hears when another process has taken a checkpoint that
 * goes with the lease. Nobody gives it back: whoever holds the lease has to begin a new term.
 */
export function tellTakenOver(readModels: ReadModels, tell: () => void): ReadModels {
  return {
    ...readModels,
    async saveCheckpoint(...moved) {
      try {
        await readModels.saveCheckpoint(...moved);
      } catch (error) {
        if (error instanceof TakenOver && !error.released) tell();
        throw error;
      }
    },
  };
}
