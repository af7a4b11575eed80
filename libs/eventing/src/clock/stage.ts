import type { Worker } from '../context';

/** What a test clock needs to move the whole program. Only the sandbox asks for it. */
export interface Stage {
  /** Business time (ms) of the next thing that a worker has to do; null when there is none. */
  nextDue(): Promise<number | null>;
  /**
   * Every follower, consumer and worker has handled what there is to handle at the present business time, and what
   * came of that. Throws `Unavailable` when that takes too long.
   */
  idle(): Promise<void>;
  /** Business time minus wall time, in milliseconds. */
  offset(): number;
  /** Takes effect at once; workers look at their due times again. */
  setOffset(offset_ms: number): Promise<void>;
}

/** Business time (ms) of the next thing that one of them has to do; null when there is none. */
export async function soonestDue(
  workers: readonly Pick<Worker, 'nextDue'>[],
): Promise<number | null> {
  const dues = await Promise.all(workers.map((worker) => worker.nextDue?.() ?? null));
  return soonestOf(dues);
}

/** The first of these times; null when there is none. */
export function soonestOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length > 0 ? Math.min(...known) : null;
}
