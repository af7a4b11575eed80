import { Rest } from '@tender/eventing';
import { ALL_QUEUES, type Queue } from './queues';

/** Who plans and who records wakes the loops; they look this often for what another process has written. */
const REST_MS_MAX = 5_000;

/** Lets a loop rest until there may be something to do. */
export class WakeUp {
  private awake = false;
  private readonly resting = new Rest();

  /** There is something to do now. */
  wake(): void {
    this.awake = true;
    this.resting.end();
  }

  /** The loop looks now: a `wake` from here on means another look. */
  looking(): void {
    this.awake = false;
  }

  async rest(ms_max: number): Promise<void> {
    if (this.awake) return;
    await this.resting.take(Math.min(REST_MS_MAX, ms_max));
  }
}

/** One for the loop of each queue. */
export type WakeUps = Readonly<Record<Queue, WakeUp>>;

export function wakeAll(wakeUps: WakeUps): void {
  for (const queue of ALL_QUEUES) wakeUps[queue].wake();
}
