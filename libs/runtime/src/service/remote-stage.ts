import { realDelays } from '@tender/adapter-postgres';
import {
  inTime,
  soonestDue,
  soonestOf,
  Unavailable,
  type EventStore,
  type Position,
  type Stage,
} from '@tender/eventing';
import { call, type Call, type Clock } from '@tender/kernel';
import type { DistributedRuntime } from '../distributed';

const IDLE_DEADLINE_MS = 60_000;
const DUE_DEADLINE_MS = 10_000;
/** Longer than a lease of a dead process lives. */
const LOOKS_FOR_LEADER = 60;
const LOOK_AGAIN_MS = 250;

export interface StageAsked {
  /** Business time minus wall time that the asked process must have reached, in milliseconds. */
  readonly offset_ms: number;
}

export interface StageAnswer {
  /** Whether it did the service's work, or stands by. */
  readonly leads: boolean;
  /** Where the newest event of its log is. */
  readonly newest: Position | null;
}

/** Asked of every replica: the process has come to this time and done what there is to do. */
export const stageIdle = (service: string): Call<StageAsked, StageAnswer, false> =>
  call(`${service}.stage-idle`, { deadline_ms: IDLE_DEADLINE_MS });

/** Business time (ms) of the next thing that the process will do by itself. */
export const stageNextDue = (
  service: string,
): Call<object, { readonly next_due_ms: number | null }, false> =>
  call(`${service}.stage-next-due`, { deadline_ms: DUE_DEADLINE_MS });

const NOT_AT_REST = { reason: 'it has not come to rest' };
/** Wall time, for all rounds together. */
const REST_MS_MAX = 120_000;
/**
 * What was in a log at the end of one round is heard by all in the next one, and what a call of theirs makes another
 * service append, after that was asked, shows in the one after that.
 */
const QUIET_ROUNDS = 2;
/** Logs that still move after so many are moved by clients, who must not stop the clock. */
export const ROUNDS_OF_SERVICES_MAX = 20;

type Needs = Pick<DistributedRuntime, 'calls' | 'random'> & {
  readonly clock: Pick<Clock, 'wall'>;
  readonly eventStore: Pick<EventStore, 'newest'>;
};

/**
 * The whole program at rest, though its parts are processes: what a test clock moves. A round asks each in turn, and
 * each answers once it has heard its topics and said its own events there; it is at rest once the logs stand still.
 */
export function remoteStage(
  own: Stage,
  services: readonly string[],
  { calls, random, clock, eventStore }: Needs,
): Stage {
  const asking = () => ({ mode: 'all' as const, correlation_id: random.uuid() });
  const remote = services.map((service) => ({
    nextDue: async () =>
      soonestOf(
        (await calls.askEach(service, stageNextDue(service), {}, asking())).map(
          ({ next_due_ms }) => next_due_ms,
        ),
      ),
  }));
  return {
    nextDue: () => soonestDue([own, ...remote]),
    offset: () => own.offset(),
    async setOffset(offset_ms) {
      await own.setOffset(offset_ms);
      for (const service of services) await idleAt(service, offset_ms);
    },
    async idle() {
      const until_ms = clock.wall() + REST_MS_MAX;
      let before: string | null = null;
      let quiet = 0;
      for (let number = 0; number < ROUNDS_OF_SERVICES_MAX && quiet < QUIET_ROUNDS; number += 1) {
        if (clock.wall() > until_ms) throw new Unavailable('the program', NOT_AT_REST);
        const newest = await round();
        quiet = newest === before ? quiet + 1 : 0;
        before = newest;
      }
    },
  };

  /** Where all logs end after it. */
  async function round(): Promise<string> {
    // What hangs here must not hold up every later move of the clock.
    await inTime(realDelays, own.idle(), IDLE_DEADLINE_MS, notAtRest);
    const ends = [await eventStore.newest()];
    for (const service of services) ends.push(await idleAt(service, own.offset()));
    return JSON.stringify(ends);
  }

  /** A service whose leader has just died has work that no replica does yet: its next leader does it. */
  async function idleAt(service: string, offset_ms: number): Promise<Position | null> {
    for (let look = 0; look < LOOKS_FOR_LEADER; look += 1) {
      const answers = await calls.askEach(service, stageIdle(service), { offset_ms }, asking());
      const leader = answers.find(({ leads }) => leads);
      if (leader) return leader.newest;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    throw new Unavailable(service, { reason: 'no replica leads' });
  }
}

function notAtRest(): never {
  throw new Unavailable('gateway', NOT_AT_REST);
}
