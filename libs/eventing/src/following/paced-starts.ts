import type { Delays } from '../ports/delays';

const BURST = 4;

/**
 * Says when the same work may start again. The first few starts need not wait; under load there is one every
 * `pace_ms`, which then has more to do.
 */
export class PacedStarts {
  /** How many may start at once. */
  private left = BURST;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly delays: Delays,
    private readonly pace_ms: number,
  ) {}

  /** The caller has started the work. */
  count(): void {
    if (this.left === BURST) this.regain();
    this.left = Math.max(0, this.left - 1);
  }

  /** Resolves once the work may start, or `cut` is called. */
  next(): Promise<void> {
    if (this.left > 0) return Promise.resolve();
    return new Promise((start) => this.waiting.push(start));
  }

  /** Whatever waits for `next` goes on at once. */
  cut(): void {
    for (const start of this.waiting.splice(0)) start();
  }

  private regain(): void {
    this.delays.after(this.pace_ms, () => {
      this.left += 1;
      this.cut();
      if (this.left < BURST) this.regain();
    });
  }
}
