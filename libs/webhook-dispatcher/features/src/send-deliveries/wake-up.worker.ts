import { setTimeout as sleep } from 'node:timers/promises';
import { ALL_QUEUES, type Queue } from './queues';

/** Who plans and who records wakes the loops; they look this often for what another process has written. */
const REST_MS_MAX = 5_000;

/** Lets a loop rest until there may be something to do. */
export class WakeUp {
  private awake = false;
  private resting: AbortController | null = null;

  /** There is something to do now. */
  wake(): void {
    this.awake = true;
    this.resting?.abort();
  }

  /** The loop looks now: a `wake` from here on means another look. */
  looking(): void {
    this.awake = false;
  }

  async rest(ms_max: number): Promise<void> {
    if (this.awake) return;
    this.resting = new AbortController();
    const rest_ms = Math.min(REST_MS_MAX, ms_max);
    await sleep(rest_ms, undefined, { signal: this.resting.signal }).catch(() => undefined);
    this.resting = null;
  }
}

/** One for the loop of each queue. */
export type WakeUps = Readonly<Record<Queue, WakeUp>>;

export function wakeAll(wakeUps: WakeUps): void {
  for (const queue of ALL_QUEUES) wakeUps[queue].wake();
}
