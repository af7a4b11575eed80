import type { Delays } from '../ports/delays';
import type { Category } from '../events/event';
import type { Follower, FollowOptions } from '../ports/event-store';
import type { Log } from '../ports/log';
import { LogFollower, type FollowableLog } from './log-follower';

/** A list that is read after a write of another kind waits for as long. */
const OTHERS_DELAY_MS = 20;
const HEARTBEAT_MS = 1_000;

/**
 * The followers of one log. It wakes them: at once where there is something for them, a little later where only
 * the mark has moved, and on a slow heartbeat so that their wall time moves on, unless its owner sees to that.
 */
export class FollowerGroup {
  private readonly followers = new Set<LogFollower>();
  private readonly following = new Map<Category, Set<LogFollower>>();
  private cancelOthers: (() => void) | null = null;
  private cancelHeartbeat: (() => void) | null = null;

  constructor(
    private readonly delays: Delays,
    private readonly log: Log,
    private readonly has_heartbeat = true,
  ) {}

  /** Another one, until it is stopped. */
  follow(source: FollowableLog, followed: FollowOptions): Follower {
    const follower = new LogFollower(source, this.delays, this.log, followed);
    this.followers.add(follower);
    for (const category of follower.categories) this.followersOf(category).add(follower);
    if (this.has_heartbeat && !this.cancelHeartbeat) this.beat();
    return {
      idle: () => follower.idle(),
      reached: (position, timeout_ms) => follower.reached(position, timeout_ms),
      stop: () => {
        this.remove(follower);
        return follower.stop();
      },
    };
  }

  /** Events of these categories were committed. */
  moved(categories: ReadonlySet<Category>): void {
    for (const category of categories) {
      for (const follower of this.following.get(category) ?? []) follower.wake();
    }
    if (this.followers.size === 0) return;
    this.cancelOthers ??= this.delays.after(OTHERS_DELAY_MS, () => {
      this.cancelOthers = null;
      this.wakeAll();
    });
  }

  /** How far the slowest of them is; Infinity when there is none. */
  slowest(): number {
    let slowest = Number.POSITIVE_INFINITY;
    for (const { position } of this.followers) slowest = Math.min(slowest, position);
    return slowest;
  }

  /** All that they follow. */
  categories(): ReadonlySet<Category> {
    return new Set(this.following.keys());
  }

  wakeAll(): void {
    for (const follower of this.followers) follower.wake();
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.followers].map((follower) => follower.stop()));
    for (const follower of [...this.followers]) this.remove(follower);
  }

  private followersOf(category: Category): Set<LogFollower> {
    const followers = this.following.get(category) ?? new Set();
    this.following.set(category, followers);
    return followers;
  }

  private remove(follower: LogFollower): void {
    this.followers.delete(follower);
    for (const category of follower.categories) {
      const left = this.followersOf(category);
      left.delete(follower);
      if (left.size === 0) this.following.delete(category);
    }
    if (this.followers.size > 0) return;
    this.cancelHeartbeat?.();
    this.cancelOthers?.();
    this.cancelHeartbeat = this.cancelOthers = null;
  }

  private beat(): void {
    this.cancelHeartbeat = this.delays.after(HEARTBEAT_MS, () => {
      this.wakeAll();
      this.beat();
    });
  }
}
