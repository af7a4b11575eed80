import {
  inTime,
  soonestDue,
  Unavailable,
  type Delays,
  type EventStore,
  type Stage,
  type Worker,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';

/** Followers and consumers: each resolves when what was in the log has been handled. */
export interface Handling {
  idle(): Promise<void>;
}

export interface StageParts {
  /** What there is to do now; nothing while another replica leads. */
  readonly work: {
    workers(): readonly Worker[];
    followers(): readonly Handling[];
  };
  readonly clock: Pick<Clock, 'wall'> & {
    offset(): number;
    setOffset(offset_ms: number): void;
  };
  readonly log: Pick<EventStore, 'newest'>;
  readonly delays: Delays;
  /** A topic lies between its parts: what one says in a round, another may hear in the next one only. */
  readonly hears_by_topics?: boolean;
  /** Wall time (ms) of the next try of a parked message; null when none will be tried by itself. */
  readonly nextTry?: () => Promise<number | null>;
}

/** Shorter than what asks a service for its rest waits. Wall time, as below. */
export const REST_MS_MAX = 45_000;
/** The first tries of a parked message come within it. What fails for longer than that, time passes over. */
const TRIED_SOON_MS = 10_000;
const LOOK_MS_MIN = 20;
/** Far more than any chain of reactions has. A log that moves on is moved by clients, who must not stop the clock. */
export const ROUNDS_MAX = 50;

/**
 * The whole program at rest. A reactor's append is work for a projection, whose commit wakes a worker, whose result is
 * an event again, in chains of any length: they are at their end once a round of all leaves the log as it was, and
 * nothing that is parked is about to be tried again.
 */
export function programStage(parts: StageParts): Stage {
  const { work, clock, delays } = parts;
  return {
    nextDue: () => soonestDue(work.workers()),
    offset: () => clock.offset(),
    setOffset: async (offset_ms) => clock.setOffset(offset_ms),
    async idle() {
      const late = new AbortController();
      const resting = untilAtRest(parts, late.signal);
      await inTime(delays, resting, REST_MS_MAX, () => {
        late.abort();
        throw new Unavailable('the program', { reason: 'it has not come to rest' });
      });
    },
  };
}

async function untilAtRest(parts: StageParts, late: AbortSignal): Promise<void> {
  const { work, log, hears_by_topics = false } = parts;
  const quiet_rounds = hears_by_topics ? 2 : 1;
  let quiet = 0;
  for (let round = 0; round < ROUNDS_MAX && quiet < quiet_rounds && !late.aborted; round += 1) {
    const before = await log.newest();
    await Promise.all(work.followers().map((follower) => follower.idle()));
    await Promise.all(work.workers().map((worker) => worker.idle?.()));
    const moved = (await waitForTry(parts)) || (await log.newest()) !== before;
    quiet = moved ? 0 : quiet + 1;
  }
}

/** False where none comes soon. One that is under way, or has been due for a moment, is waited for by looking again. */
async function waitForTry({ nextTry, clock, delays }: StageParts): Promise<boolean> {
  const next_ms = (await nextTry?.()) ?? null;
  if (next_ms === null) return false;
  const wait_ms = next_ms - clock.wall();
  if (wait_ms > TRIED_SOON_MS) return false;
  await new Promise<void>((done) => delays.after(Math.max(LOOK_MS_MIN, wait_ms), done));
  return true;
}
