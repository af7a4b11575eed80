import { setTimeout as sleep } from 'node:timers/promises';
import { Rounds, type Runtime, type Worker } from '@tender/eventing';
import { forgetOld, nextScreened, stripOld, type Screened } from './old-screenings.record';
import { WINDOW_MS_MAX } from './velocities';

const HOUR_MS = 60 * 60 * 1000;
/** Business time; looked at as often in wall time. */
const FORGET_EVERY_MS = HOUR_MS;
/** The longest life of a payment that `PAYMENT_LIFETIME_SECONDS` allows: until then it may be handed in. */
const PAYMENT_MS_MAX = 24 * HOUR_MS;
/** No rule and no figure looks further back, but for a merchant’s norm. Business time. */
export const KEPT_MS = WINDOW_MS_MAX + PAYMENT_MS_MAX;
/** One statement holds no lock for long, and no replica is kept from writing. */
const ROWS_MAX = 1000;
const REST_MS_MIN = 20;

/** Forgets screenings that nothing looks back on any more, while this process leads: merchant by merchant. */
export class ForgetScreenings implements Worker {
  readonly name = 'fraud.forget-screenings';
  private readonly rounds: Rounds;
  private begun_ms = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly runtime: Pick<Runtime, 'readModels' | 'clock' | 'log'>,
    private readonly rows_max = ROWS_MAX,
  ) {
    this.rounds = new Rounds(
      (signal) => this.forget(signal),
      () => {
        runtime.log.warn({}, 'old screenings could not be forgotten');
        return FORGET_EVERY_MS;
      },
    );
  }

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

  private async forget(signal: AbortSignal): Promise<number> {
    const { readModels, clock } = this.runtime;
    this.begun_ms = clock.now();
    const until_ms = this.begun_ms - KEPT_MS;
    let screened = await nextScreened(readModels, null);
    while (screened && !signal.aborted) {
      await this.forgetOf(screened, until_ms, signal);
      screened = await nextScreened(readModels, screened);
    }
    return FORGET_EVERY_MS;
  }

  private async forgetOf(screened: Screened, until_ms: number, signal: AbortSignal): Promise<void> {
    const { readModels } = this.runtime;
    let forgotten = this.rows_max;
    while (forgotten === this.rows_max && !signal.aborted) {
      forgotten = await forgetOld(readModels, screened, until_ms, this.rows_max);
    }
    if (!signal.aborted) await stripOld(readModels, screened, until_ms);
  }
}
