import { setTimeout as sleep } from 'node:timers/promises';

/** Due deliveries are looked for at least this often, so that a moved clock is noticed. */
const REST_MS_MAX = 250;
const REST_MS_MIN = 2;

/** Lets a loop rest until there may be something to do. */
export class Rouser {
  private rest_ms = REST_MS_MAX;
  private roused = false;
  private resting: AbortController | null = null;

  /** There is something to do now. */
  rouse(): void {
    this.roused = true;
    this.resting?.abort();
  }

  /** There is something to do once a transaction has committed: the next rests are short, and grow. */
  expect(): void {
    this.rest_ms = REST_MS_MIN;
    this.rouse();
  }

  /** From here on `rouse` means another look. */
  looking(): void {
    this.roused = false;
  }

  async rest(ms_max: number): Promise<void> {
    if (this.roused) return;
    this.resting = new AbortController();
    const rest_ms = Math.min(this.rest_ms, ms_max);
    await sleep(rest_ms, undefined, { signal: this.resting.signal }).catch(() => undefined);
    this.resting = null;
    this.rest_ms = Math.min(this.rest_ms * 2, REST_MS_MAX);
  }
}
