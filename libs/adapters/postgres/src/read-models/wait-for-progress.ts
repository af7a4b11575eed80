import type { Position, ReadModels } from '@tender/eventing';
import { nameOf, type Checkpoints } from './checkpoints';
import type { FollowerProgress } from './follower-progress';

const LOOK_EVERY_MS = 50;

/** Waits for a follower of this process in memory, and for that of another one at its row. */
export function waitForProgress(
  checkpoints: Checkpoints,
  progress: FollowerProgress,
  isBefore: (position: Position, other: Position) => boolean,
): ReadModels['waitFor'] {
  return async (schema, follower, position, timeout_ms) => {
    const name = nameOf(schema, follower);
    const deadline = performance.now() + timeout_ms;
    if (checkpoints.holds(name) && (await progress.wait(name, position, timeout_ms))) return true;
    // Followed by another process, maybe since a moment ago: only its row tells.
    for (;;) {
      const reached = (await checkpoints.read(schema, follower))?.position ?? null;
      if (reached !== null && !isBefore(reached, position)) return true;
      if (performance.now() >= deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  };
}
