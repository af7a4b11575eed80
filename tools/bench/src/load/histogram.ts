const STEP_US = 10;
/** Everything slower is counted as this: 20 s. */
const BUCKETS = 2_000_000;

/** Counts of latencies in steps of 10 µs. */
export class Histogram {
  private readonly counts = new Uint32Array(BUCKETS);
  private total = 0;

  add(ms: number): void {
    const bucket = Math.min(BUCKETS - 1, Math.max(0, Math.floor((ms * 1000) / STEP_US)));
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.total += 1;
  }

  get count(): number {
    return this.total;
  }

  /** In ms, the upper edge of the step; 0 when nothing was counted. */
  quantile(part: number): number {
    if (this.total === 0) return 0;
    let left = Math.max(1, Math.ceil(part * this.total));
    for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
      left -= this.counts[bucket] as number;
      if (left <= 0) return ((bucket + 1) * STEP_US) / 1000;
    }
    return (BUCKETS * STEP_US) / 1000;
  }
}
