import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from './context';
import { Rounds } from './rounds.worker';
import type { Runtime } from './runtime';

/** Business time; looked at as often in wall time. */
export const FORGET_EVERY_MS = 60 * 60 * 1000;
const REST_MS_MIN = 20;

/** Forgets, once an hour while this process leads, what nothing looks back on any more. */
export abstract class ForgetOld implements Worker {
  abstract readonly name: string;
  private readonly rounds: Rounds;
  private begun_ms = Number.NEGATIVE_INFINITY;

  constructor(protected readonly runtime: Pick<Runtime, 'readModels' | 'clock' | 'log'>) {
    this.rounds = new Rounds(
      async (signal) => {
        this.begun_ms = runtime.clock.now();
        await this.forget(this.begun_ms, signal);
        return FORGET_EVERY_MS;
      },
      (error) => {
        runtime.log.warn({ err: error, worker: this.name }, 'old records could not be forgotten');
        return FORGET_EVERY_MS;
      },
    );
  }

  /** `now`: milliseconds of business time. */
  protected abstract forget(now: number, signal: AbortSignal): Promise<void>;

  async start(): Promise<void> {
    this.rounds.start();
  }

  async stop(): Promise<void> {
    await this.rounds.stop();
  }

  async idle(): Promise<void> {
    while (this.rounds.isRunning) {
      if (this.rounds.isResting) {
        if (this.runtime.clock.now() - this.begun_ms < FORGET_EVERY_MS) return;
        this.rounds.wake();
      }
      await sleep(REST_MS_MIN);
    }
  }
}
