import type { Delays, Position } from '@tender/eventing';

interface Waiter {
  readonly position: Position;
  readonly done: (reached: boolean) => void;
}

/** How far the followers of this process are, in memory: a caller that waits for one hears of it at once. */
export class FollowerProgress {
  private readonly reached = new Map<string, Position>();
  private readonly waiters = new Map<string, Set<Waiter>>();

  constructor(
    private readonly isBefore: (position: Position, other: Position) => boolean,
    private readonly delays: Delays,
  ) {}

  has(follower: string, position: Position): boolean {
    const reached = this.reached.get(follower);
    return reached !== undefined && !this.isBefore(reached, position);
  }

  note(follower: string, position: Position): void {
    if (this.has(follower, position)) return;
    this.reached.set(follower, position);
    for (const waiter of this.waiters.get(follower) ?? []) {
      if (!this.isBefore(position, waiter.position)) waiter.done(true);
    }
  }

  /** Answers the position, which may be an older one: the tables may have been set back. */
  reset(follower: string, position: Position | null): Position | null {
    this.reached.delete(follower);
    if (position !== null) this.note(follower, position);
    return position;
  }

  /** Callers that wait have to look at the row. */
  giveUp(follower: string): void {
    for (const waiter of this.waiters.get(follower) ?? []) waiter.done(false);
  }

  /** False after `timeout_ms`, or when it is given up. */
  wait(follower: string, position: Position, timeout_ms: number): Promise<boolean> {
    if (this.has(follower, position)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const waiting = this.waiters.get(follower) ?? new Set();
      this.waiters.set(follower, waiting);
      const cancel = this.delays.after(timeout_ms, () => waiter.done(false));
      const waiter: Waiter = {
        position,
        done: (reached) => {
          cancel();
          waiting.delete(waiter);
          resolve(reached);
        },
      };
      waiting.add(waiter);
    });
  }
}
