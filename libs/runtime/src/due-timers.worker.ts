import { soonestOf, type Runtime, type Timer, type Worker } from '@tender/eventing';
import { DueTimer, nextDues } from './due-timer';

type Needs = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random' | 'log'>;

/** All timers of a process: each has a loop of its own, and one look tells a test clock which of them is due next. */
export class DueTimers implements Worker {
  readonly name = 'timers';
  private readonly timers: readonly DueTimer[];

  constructor(
    private readonly runtime: Needs,
    timers: readonly Timer[],
  ) {
    this.timers = timers.map((timer) => new DueTimer(runtime, timer));
  }

  async start(): Promise<void> {
    for (const timer of this.timers) timer.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.timers.map((timer) => timer.stop()));
  }

  async nextDue(): Promise<number | null> {
    return soonestOf(await nextDues(this.runtime, this.timers));
  }

  async idle(): Promise<void> {
    for (;;) {
      const dues = await nextDues(this.runtime, this.timers);
      const now = this.runtime.clock.now();
      const behind = this.timers.filter((timer, at) => timer.isBehind(dues[at] ?? null, now));
      if (behind.length === 0) return;
      await Promise.all(behind.map((timer) => timer.lookAgain()));
    }
  }
}
