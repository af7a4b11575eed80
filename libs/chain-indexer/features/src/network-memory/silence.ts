import type { Clock } from '@tender/kernel';

/** A node that takes so long for an answer is silent: it answers within a second when it is well. */
export const SILENCE_MS = 10_000;

/** How long the chain has left this process without an answer while it waits for one. */
export class Silence {
  private readonly asked = new Set<{ readonly wall_ms: number }>();
  private answered_wall_ms = Number.NEGATIVE_INFINITY;

  constructor(private readonly clock: Clock) {}

  /** Asks the chain. A fault is an answer too: others log it. */
  async ask<Answer>(question: () => Promise<Answer>): Promise<Answer> {
    const asking = { wall_ms: this.clock.wall() };
    this.asked.add(asking);
    try {
      return await question();
    } finally {
      this.asked.delete(asking);
      this.answered_wall_ms = this.clock.wall();
    }
  }

  get too_long(): boolean {
    const since = Math.min(...[...this.asked].map(({ wall_ms }) => wall_ms));
    const waits = this.asked.size > 0;
    return waits && this.clock.wall() - Math.max(since, this.answered_wall_ms) >= SILENCE_MS;
  }
}
