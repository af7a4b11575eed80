/** Wall time. */
export const BLOCKED_MS = 100;

/**
 * Endpoints of which everything due in a queue was found waiting for something else. Only for a moment:
 * their next event, or another endpoint's answer, may come at any time.
 */
export class BlockedEndpoints {
  /** Until when, oldest first. Wall time in milliseconds. */
  private readonly until = new Map<string, number>();

  get size(): number {
    return this.until.size;
  }

  add(ids: readonly string[], wall: number): void {
    for (const id of ids) {
      this.until.delete(id);
      this.until.set(id, wall + BLOCKED_MS);
    }
  }

  at(wall: number): string[] {
    for (const [id, until] of this.until) {
      if (until > wall) break;
      this.until.delete(id);
    }
    return [...this.until.keys()];
  }

  clear(): void {
    this.until.clear();
  }
}
