import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime, Worker } from '@tender/eventing';
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

/** Forgets screenings that nothing looks back on any more, while this process leads: merchant by merchant. */
export class ForgetScreenings implements Worker {
  readonly name = 'fraud.forget-screenings';
  private readonly stopped = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private pass: Promise<void> | null = null;
  private newest_pass_ms = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly runtime: Pick<Runtime, 'readModels' | 'clock' | 'log'>,
    private readonly rows_max = ROWS_MAX,
  ) {}

  async start(): Promise<void> {
    this.running = this.loop();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.running;
    await this.pass;
  }

  /** No client sees what is forgotten: a test clock need not stop for it. */
  nextDue(): Promise<number | null> {
    return Promise.resolve(null);
  }

  async idle(): Promise<void> {
    const now_ms = this.runtime.clock.now();
    if (!this.pass && now_ms - this.newest_pass_ms >= FORGET_EVERY_MS) {
      this.newest_pass_ms = now_ms;
      this.pass = this.forget(now_ms - KEPT_MS).finally(() => (this.pass = null));
    }
    await this.pass;
  }

  private async loop(): Promise<void> {
    const { signal } = this.stopped;
    while (!signal.aborted) {
      await this.idle();
      await sleep(FORGET_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** What cannot be deleted now is deleted with the next pass. */
  private async forget(until_ms: number): Promise<void> {
    const { readModels, log } = this.runtime;
    try {
      let screened = await nextScreened(readModels, null);
      while (screened && !this.stopped.signal.aborted) {
        await this.forgetOf(screened, until_ms);
        screened = await nextScreened(readModels, screened);
      }
    } catch {
      log.warn({}, 'old screenings could not be forgotten');
    }
  }

  private async forgetOf(screened: Screened, until_ms: number): Promise<void> {
    const { readModels } = this.runtime;
    let forgotten = this.rows_max;
    while (forgotten === this.rows_max && !this.stopped.signal.aborted) {
      forgotten = await forgetOld(readModels, screened, until_ms, this.rows_max);
    }
    if (!this.stopped.signal.aborted) await stripOld(readModels, screened, until_ms);
  }
}
