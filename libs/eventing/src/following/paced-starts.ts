import type { Delays } from '../ports/delays';

const BURST = 4;

/**
 * When the same work may start again: a burst is not made to wait, a stream is. Under load starts come once every
 * `pace_ms`: fewer, each with more to do.
 */
export class PacedStarts {
  /** How many may start at once. */
  private left = BURST;
  private waiting: (() => void)[] = [];

  constructor(
    private readonly delays: Delays,
    private readonly pace_ms: number,
  ) {}

  get mayStart(): boolean {
    return this.left > 0;
  }

  /** It has started. */
  count(): void {
    if (this.left === BURST) this.regain();
    this.left = Math.max(0, this.left - 1);
  }

  /** Resolves once it may start, or is no longer to wait. */
  next(): Promise<void> {
    if (this.mayStart) return Promise.resolve();
    return new Promise((start) => this.waiting.push(start));
  }

  /** Who waits goes on at once. */
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
