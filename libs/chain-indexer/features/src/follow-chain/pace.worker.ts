import { Rest } from '@tender/eventing';
import type { Clock } from '@tender/kernel';

/** While the chain tells of its slots by itself, passes that nothing asked for are so many times rarer … */
const POLLS_SAVED = 5;
/** … and this far apart, or further: well within the lease of the cursor. */
const HINTED_REST_MS_MIN = 2_500;
/** One hint shows for so long that hints come: a chain at rest may tell of a slot each few seconds only. */
const HINTS_LAST_MS = 10_000;
/** Passes begin at least so far apart, or a quarter of a poll: a flood of hints is none of requests. */
const GAP_MS_MAX = 100;

/**
 * When the next pass along a chain is due: when the chain tells of a slot or a caller waits, else after a
 * poll's time. A hint that lies or never comes costs time and nothing else.
 */
export class Pace {
  private hinted_slot = 0;
  private newest_slot = 0;
  private hinted_wall_ms = Number.NEGATIVE_INFINITY;
  private read_slot = 0;
  private began_wall_ms = 0;
  private awaited = false;
  private readonly resting = new Rest();
  private readonly gap = new Rest();

  constructor(
    private readonly poll_ms: number,
    private readonly clock: Clock,
  ) {}

  /** The newest slot that the chain has told of; 0 while it has told of none. */
  get newest(): number {
    return this.newest_slot;
  }

  hint(slot: number): void {
    this.hinted_slot = Math.max(this.hinted_slot, slot);
    this.newest_slot = Math.max(this.newest_slot, slot);
    this.hinted_wall_ms = this.clock.wall();
    if (slot > this.read_slot) this.resting.end();
  }

  /** A caller waits for a pass that is yet to begin. */
  wake(): void {
    this.awaited = true;
    this.resting.end();
  }

  /** No pass is waited for: the worker ends. */
  stop(): void {
    this.wake();
    this.gap.end();
  }

  /** A pass begins. Answers the newest slot hinted since the last one began, else 0: each hint leads to one pass. */
  begin(): number {
    const slot = this.hinted_slot;
    this.hinted_slot = 0;
    this.awaited = false;
    this.began_wall_ms = this.clock.wall();
    return slot;
  }

  /** After a pass that has read everything up to `read_slot`. */
  async rest(read_slot: number): Promise<void> {
    this.read_slot = read_slot;
    const { clock, poll_ms } = this;
    if (this.hinted_slot <= read_slot && !this.awaited) {
      await this.resting.take(restAfter(clock.wall() - this.hinted_wall_ms, poll_ms));
    }
    // A caller that waits asks for no pass before the one that it waits for has ended.
    if (this.awaited) return;
    const gap_ms = this.began_wall_ms + Math.min(GAP_MS_MAX, poll_ms / 4) - clock.wall();
    if (gap_ms > 0) await this.gap.take(gap_ms);
  }
}

/** Until a pass that nothing asks for, so long after the last hint. Milliseconds. */
export function restAfter(since_hint_ms: number, poll_ms: number): number {
  if (since_hint_ms >= HINTS_LAST_MS) return poll_ms;
  return Math.max(HINTED_REST_MS_MIN, poll_ms * POLLS_SAVED);
}
