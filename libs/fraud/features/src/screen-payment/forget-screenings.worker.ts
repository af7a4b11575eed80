import { ForgetOld, type Runtime } from '@tender/eventing';
import { forgetOld, nextScreened, stripOld, type Screened } from './old-screenings.record';
import { WINDOW_MS_MAX } from './velocities';

const HOUR_MS = 60 * 60 * 1000;
/** The longest life of a payment that `PAYMENT_LIFETIME_SECONDS` allows: until then it may be handed in. */
const PAYMENT_MS_MAX = 24 * HOUR_MS;
/** No rule and no figure looks further back, but for a merchant’s norm. Business time. */
export const KEPT_MS = WINDOW_MS_MAX + PAYMENT_MS_MAX;
/** One statement holds no lock for long, and no replica is kept from writing. */
const ROWS_MAX = 1000;

/** Forgets screenings that nothing looks back on any more, while this process leads: merchant by merchant. */
export class ForgetScreenings extends ForgetOld {
  readonly name = 'fraud.forget-screenings';

  constructor(
    runtime: Pick<Runtime, 'readModels' | 'clock' | 'log'>,
    private readonly rows_max = ROWS_MAX,
  ) {
    super(runtime);
  }

  protected async forget(now: number, signal: AbortSignal): Promise<void> {
    const { readModels } = this.runtime;
    const until_ms = now - KEPT_MS;
    let screened = await nextScreened(readModels, null);
    while (screened && !signal.aborted) {
      await this.forgetOf(screened, until_ms, signal);
      screened = await nextScreened(readModels, screened);
    }
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
