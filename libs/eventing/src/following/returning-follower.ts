import { invariant } from '@tender/kernel';
import type { Position } from '../events/event';
import type { EventStore, Follower, FollowOptions } from '../ports/event-store';
import type { Log } from '../ports/log';

/** What was handled is not in the tables: the database was set back, to a copy or a replica that lagged. */
export class SetBack extends Error {
  override readonly name = 'SetBack';
  constructor(
    follower: string,
    readonly left: Position,
    readonly found: Position | null,
  ) {
    super(`${follower} was left at ${left} and is at ${found ?? 'its beginning'}`);
  }
}

export interface ReturningFollowerOptions {
  readonly eventStore: Pick<EventStore, 'follow'>;
  readonly log: Log;
  /** `onEvents` and `onProgress` reject with `SetBack` when the checkpoint has gone back; neither throws it. */
  readonly follow: Omit<FollowOptions, 'from'>;
  /** Reads the checkpoint anew, whatever was known of it: where to go on from. */
  open(): Promise<Position | null>;
}

/** A follower of the log that begins again where its checkpoint is, when that was set back meanwhile. */
export class ReturningFollower {
  private current: Follower | null = null;
  /** Names the follower that counts: what another one still hands over is heard again. */
  private turn = 0;
  private set_back = false;
  private stopped = false;
  private ended: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: ReturningFollowerOptions) {}

  async start(): Promise<void> {
    this.follow(await this.options.open());
  }

  /** Resolves when everything that was in the log at the time of the call has been handled. */
  async idle(): Promise<void> {
    let waited: Follower | null;
    do {
      waited = this.current;
      await waited?.idle();
    } while (waited !== this.current);
  }

  /** Lets the running batch end. */
  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.current?.stop(), this.ended]);
  }

  private follow(from: Position | null): void {
    const { eventStore, follow } = this.options;
    this.turn += 1;
    const { turn } = this;
    this.current = eventStore.follow({
      ...follow,
      from,
      onEvents: (events) => this.work(turn, () => follow.onEvents(events)),
      onProgress: (position, wall_ms) => {
        if (turn !== this.turn || this.set_back) return this.work(turn, () => Promise.resolve());
        const kept = follow.onProgress?.(position, wall_ms);
        return kept && this.work(turn, () => kept);
      },
    });
  }

  private async work(turn: number, work: () => Promise<void>): Promise<void> {
    if (turn !== this.turn) return;
    if (!this.set_back) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof SetBack)) throw error;
        const { follow, log } = this.options;
        const { left, found } = error;
        log.warn(
          { follower: follow.name, left, found },
          'the database was set back: its follower goes on from the checkpoint that it finds',
        );
        this.set_back = true;
      }
    }
    await this.goBack();
  }

  /** Rejected, it is asked again with the same batch, which is then not handled. */
  private async goBack(): Promise<void> {
    const from = await this.options.open();
    // Called by the very follower that ends here: it must not be waited for.
    const before = this.current;
    invariant(before, 'a follower that goes back has followed');
    if (this.stopped) return;
    this.follow(from);
    this.set_back = false;
    this.ended = Promise.all([this.ended, before.stop()]);
  }
}
