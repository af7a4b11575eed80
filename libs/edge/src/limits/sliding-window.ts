/** Seconds. */
const HOUR = 3600;

/**
 * Counts admitted requests over a sliding span in buckets of one second. A bucket leaves one second later
 * than it must, because its requests may have come at the end of it: no span of this length, wherever it
 * begins, holds more than was admitted (S11).
 */
export class SlidingWindow {
  private readonly seconds: number[] = [];
  private readonly counts: number[] = [];
  private head = 0;
  private sum = 0;
  private latest = 0;

  constructor(private readonly span_seconds: number = HOUR) {}

  /** Admitted requests that still count at `wall_ms`. */
  count(wall_ms: number): number {
    const now = this.secondOf(wall_ms);
    while (this.head < this.seconds.length && this.leavesAt(this.head) <= now) {
      this.sum -= this.counts[this.head] as number;
      this.head += 1;
    }
    if (this.head > 256) this.forgetGone();
    return this.sum;
  }

  add(wall_ms: number): void {
    const now = this.secondOf(wall_ms);
    const last = this.seconds.length - 1;
    if (last >= this.head && this.seconds[last] === now) {
      this.counts[last] = (this.counts[last] as number) + 1;
    } else {
      this.seconds.push(now);
      this.counts.push(1);
    }
    this.sum += 1;
  }

  /** One that was added at `wall_ms` counts no more. A clock that has stepped back since may have put it later. */
  remove(wall_ms: number): void {
    const added_at = Math.floor(wall_ms / 1000);
    const index = this.seconds.findIndex((second, at) => at >= this.head && second >= added_at);
    if (index < 0) return;
    this.sum -= 1;
    this.counts[index] = (this.counts[index] as number) - 1;
    if (this.counts[index] > 0) return;
    this.seconds.splice(index, 1);
    this.counts.splice(index, 1);
  }

  /** Unix second at which the oldest admitted request stops counting; null when there is none. */
  freesAt(): number | null {
    return this.head < this.seconds.length ? this.leavesAt(this.head) : null;
  }

  /** A clock that steps back must not let a request in twice. */
  private secondOf(wall_ms: number): number {
    this.latest = Math.max(this.latest, Math.floor(wall_ms / 1000));
    return this.latest;
  }

  private leavesAt(index: number): number {
    return (this.seconds[index] as number) + this.span_seconds + 1;
  }

  private forgetGone(): void {
    this.seconds.splice(0, this.head);
    this.counts.splice(0, this.head);
    this.head = 0;
  }
}
