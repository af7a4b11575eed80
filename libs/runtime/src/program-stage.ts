import { soonestDue, type EventStore, type Stage, type Worker } from '@tender/eventing';

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
  readonly clock: { offset(): number; setOffset(offset_ms: number): void };
  /** Where all that one part makes for another goes through this log, and no topic lies between. */
  readonly log?: Pick<EventStore, 'newest'>;
}

/** Rounds after which followers, consumers and workers have nothing left that any of them made. */
const ROUNDS = 3;

/**
 * The whole program at rest. A reactor's append is work for a projection, whose commit wakes a worker,
 * whose result is an event again: three rounds reach the end of the longest such chain. A round that leaves
 * the log as it was is the end of it already.
 */
export function programStage({ work, clock, log }: StageParts): Stage {
  return {
    nextDue: () => soonestDue(work.workers()),
    offset: () => clock.offset(),
    setOffset: async (offset_ms) => clock.setOffset(offset_ms),
    async idle() {
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await log?.newest();
        await Promise.all(work.followers().map((follower) => follower.idle()));
        await Promise.all(work.workers().map((worker) => worker.idle?.()));
        if (log && (await log.newest()) === before) return;
      }
    },
  };
}
