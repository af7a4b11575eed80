const WINDOW = 32;
/** What the statement itself costs per event, about; the rest of the time is the commit. */
const EVENT_MS = 0.03;
const SLOW_COMMIT_MS = 1.5;
const VERY_SLOW_COMMIT_MS = 6;

/**
 * How many committers the disk deserves: one where a commit is fast, since batching alone keeps it busy; more
 * where it is slow. The fastest of the last commits counts: a busy machine is no slow disk.
 */
export class CommitterCount {
  private readonly commits_ms: number[] = [];
  private next = 0;
  wanted = 1;

  constructor(private readonly committers_max: number) {}

  observe(elapsed_ms: number, events: number): void {
    this.commits_ms[this.next] = Math.max(0, elapsed_ms - events * EVENT_MS);
    this.next = (this.next + 1) % WINDOW;
    if (this.commits_ms.length < WINDOW) return;
    const commit_ms = Math.min(...this.commits_ms);
    if (commit_ms > VERY_SLOW_COMMIT_MS) this.wanted = this.committers_max;
    else this.wanted = commit_ms > SLOW_COMMIT_MS ? Math.min(2, this.committers_max) : 1;
  }
}
