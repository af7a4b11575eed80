import { realDelays } from '@tender/adapter-postgres';
import { inTime, soonestDue, Unavailable, type Stage } from '@tender/eventing';
import { call, type Call } from '@tender/kernel';
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
}

/** Asked of every replica: the process has come to this time and done what there is to do. */
export const stageIdle = (service: string): Call<StageAsked, StageAnswer, false> =>
  call(`${service}.stage-idle`, { deadline_ms: IDLE_DEADLINE_MS });

/** Business time (ms) of the next thing that the process will do by itself. */
export const stageNextDue = (
  service: string,
): Call<object, { readonly next_due_ms: number | null }, false> =>
  call(`${service}.stage-next-due`, { deadline_ms: DUE_DEADLINE_MS });

/** A payment walks gateway → payments → indexer → payments → dispatcher; a round brings all of it one step on. */
const ROUNDS = 4;

/** The whole program at rest, though its parts are processes: what a test clock moves. */
export function remoteStage(
  own: Stage,
  services: readonly string[],
  { calls, random }: Pick<DistributedRuntime, 'calls' | 'random'>,
): Stage {
  const asking = () => ({ mode: 'all' as const, correlation_id: random.uuid() });
  const remote = services.map((service) => ({
    nextDue: async () =>
      soonestOf(await calls.askEach(service, stageNextDue(service), {}, asking())),
  }));
  return {
    nextDue: () => soonestDue([own, ...remote]),
    offset: () => own.offset(),
    async setOffset(offset_ms) {
      await own.setOffset(offset_ms);
      for (const service of services) await idleAt(service, offset_ms);
    },
    async idle() {
      for (let round = 0; round < ROUNDS; round += 1) {
        // What hangs here must not hold up every later move of the clock.
        await inTime(realDelays, own.idle(), IDLE_DEADLINE_MS, notAtRest);
        for (const service of services) {
          await idleAt(service, own.offset());
        }
      }
    },
  };

  /** A service whose leader has just died has work that no replica does yet: its next leader does it. */
  async function idleAt(service: string, offset_ms: number): Promise<void> {
    for (let look = 0; look < LOOKS_FOR_LEADER; look += 1) {
      const answers = await calls.askEach(service, stageIdle(service), { offset_ms }, asking());
      if (answers.some(({ leads }) => leads)) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    }
    throw new Unavailable(service, { reason: 'no replica leads' });
  }
}

function notAtRest(): never {
  throw new Unavailable('gateway', { reason: 'it is not at rest' });
}

function soonestOf(answers: readonly { readonly next_due_ms: number | null }[]): number | null {
  const dues = answers.map(({ next_due_ms }) => next_due_ms).filter((due) => due !== null);
  return dues.length > 0 ? Math.min(...dues) : null;
}
