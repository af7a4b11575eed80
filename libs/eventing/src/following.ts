import { timeOf, type Clock } from '@tender/kernel';
import type { StreamMode } from './event';
import type { LabelsOf } from './instruments';
import type { Telemetry } from './telemetry';

type Follower = LabelsOf<'tender_follower_lag_seconds'>;

interface Place {
  readonly labels: Follower;
  /** `recorded_at` (ms) of the oldest event that may be unhandled; null when caught up. */
  since_ms: number | null;
}

/** Events that are this young when they have been handled leave nobody behind, whatever comes next. */
const YOUNG_MS = 1_000;

/** How far behind the followers of one process are. */
export class Following {
  private readonly behind = new Map<string, Place>();

  constructor(
    private readonly telemetry: Telemetry,
    private readonly clock: Pick<Clock, 'wall'>,
  ) {
    telemetry.watch('tender_follower_lag_seconds', () => {
      const wall_ms = clock.wall();
      return [...this.behind.values()].map(({ labels, since_ms }) => ({
        labels,
        value: since_ms === null ? 0 : Math.max(0, wall_ms - since_ms) / 1000,
      }));
    });
  }

  /** Handles a batch, oldest first. What fails stays behind until it succeeds or is passed over. */
  async handle<Result>(
    follower: string,
    mode: StreamMode,
    recorded: readonly { readonly recorded_at: string }[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const place = this.placeOf(follower, mode);
    const { labels } = place;
    const [oldest, newest] = [recorded[0], recorded.at(-1)];
    place.since_ms ??= oldest ? timeOf(oldest.recorded_at) : null;
    try {
      const result = await work();
      this.telemetry.count('tender_follower_events_total', labels, recorded.length);
      const newest_ms = newest ? timeOf(newest.recorded_at) : this.clock.wall();
      place.since_ms = this.clock.wall() - newest_ms < YOUNG_MS ? null : newest_ms;
      return result;
    } catch (error) {
      this.telemetry.count('tender_follower_failures_total', labels);
      throw error;
    }
  }

  /** No event recorded before `wall_ms` is still to come. */
  caughtUp(follower: string, mode: StreamMode, wall_ms: number): void {
    const place = this.placeOf(follower, mode);
    if (place.since_ms !== null && place.since_ms <= wall_ms) place.since_ms = null;
  }

  ended(follower: string, mode: StreamMode): void {
    this.behind.delete(`${follower}:${mode}`);
  }

  private placeOf(follower: string, mode: StreamMode): Place {
    const key = `${follower}:${mode}`;
    const known = this.behind.get(key);
    if (known) return known;
    const place = { labels: { follower, mode }, since_ms: null };
    this.behind.set(key, place);
    return place;
  }
}
