import type { Clock } from '@tender/kernel';

/** When each of several things was last done, so that none is done too often. Forgotten with the process. */
export class Spaced {
  private readonly done_wall_ms = new Map<string, number>();

  constructor(
    private readonly clock: Pick<Clock, 'wall'>,
    private readonly gap_ms: number,
  ) {}

  /** Whether it is time for it; it counts as done then. */
  isTime(key: string): boolean {
    const now_ms = this.clock.wall();
    if (now_ms - (this.done_wall_ms.get(key) ?? 0) < this.gap_ms) return false;
    this.done_wall_ms.set(key, now_ms);
    return true;
  }

  /** Forgets all others. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.done_wall_ms.keys()) if (!keys.has(key)) this.done_wall_ms.delete(key);
  }
}
