/** Wall time. */
export const BLOCKED_MS = 100;

/**
 * Endpoints whose due deliveries of a queue all wait, such as for an earlier event of the same payment. The sender
 * passes them over for a moment only: their next event, or another endpoint's answer, may come at any time.
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
