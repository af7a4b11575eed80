import { Rounds, soonestOf, untilNextLook, type Runtime, type Timer, type Worker } from '@tender/eventing';
import { DueTimer, nextDues } from './due-timer';

type Needs = Pick<Runtime, 'eventStore' | 'readModels' | 'clock' | 'random' | 'log'>;

/** Between looks for what is due next, so that new rows and a moved clock are noticed; at the time of other looks. */
const LOOK_MS = 1_000;
const LOOK_MS_MIN = 20;
/** Until the next look while what is due is being done. */
const UNDER_WAY_MS = 250;
const AFTER_FAILURE_MS = 500;

/**
 * All timers of a process. One question tells which of them are due: those are woken, and the others rest. It tells a
 * test clock as well.
 */
export class DueTimers implements Worker {
  readonly name = 'timers';
  private readonly timers: readonly DueTimer[];
  private readonly rounds = new Rounds(
    () => this.look(),
    (error) => this.lookLater(error),
  );

  constructor(
    private readonly runtime: Needs,
    timers: readonly Timer[],
  ) {
    this.timers = timers.map((timer) => new DueTimer(runtime, timer));
  }

  async start(): Promise<void> {
    for (const timer of this.timers) timer.start();
    if (this.timers.length > 0) this.rounds.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.rounds, ...this.timers].map((part) => part.stop()));
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

  /** Wakes the timers that are due; answers how long until the next one is. Milliseconds. */
  private async look(): Promise<number> {
    const dues = await nextDues(this.runtime, this.timers);
    const { clock } = this.runtime;
    const now = clock.now();
    const due = this.timers.filter((_, at) => (dues[at] ?? Number.POSITIVE_INFINITY) <= now);
    for (const timer of due) timer.wake();
    if (due.length > 0) return UNDER_WAY_MS;
    const soonest_ms = soonestOf(dues) ?? Number.POSITIVE_INFINITY;
    return Math.min(untilNextLook(LOOK_MS, clock.wall()), Math.max(LOOK_MS_MIN, soonest_ms - now));
  }

  private lookLater(error: unknown): number {
    this.runtime.log.warn({ err: error }, 'what is due next cannot be looked for');
    return AFTER_FAILURE_MS;
  }
}
