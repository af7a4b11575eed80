import { timeOf, type Clock } from '@tender/kernel';
import type { StreamMode } from '../events/event';
import type { LabelsOf } from './instruments';
import type { Telemetry } from '../ports/telemetry';

type Follower = LabelsOf<'tender_follower_lag_seconds'>;

interface Place {
  readonly labels: Follower;
  /** `recorded_at` (ms) of the oldest event that is under way, or has failed. */
  under_way_ms: number | null;
  /** `recorded_at` (ms) of the newest handled event, while others may follow it. */
  handled_ms: number | null;
}

/** Events that are this young when they have been handled show no follower to be behind, whatever comes next. */
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
      return [...this.behind.values()].map(({ labels, under_way_ms, handled_ms }) => {
        const since_ms = under_way_ms ?? handled_ms ?? wall_ms;
        return { labels, value: Math.max(0, wall_ms - since_ms) / 1000 };
      });
    });
  }

  /**
   * Handles a batch, oldest first; several of one follower may be under way (partitions). What fails stays
   * behind until it succeeds or is passed over, whatever others do meanwhile.
   */
  async handle<Result>(
    follower: string,
    mode: StreamMode,
    recorded: readonly { readonly recorded_at: string }[],
    work: () => Promise<Result>,
  ): Promise<Result> {
    const place = this.placeOf(follower, mode);
    const { labels } = place;
    const wall_ms = this.clock.wall();
    const [oldest_ms = wall_ms, newest_ms = oldest_ms] = [recorded[0], recorded.at(-1)].flatMap(
      (event) => (event ? [timeOf(event.recorded_at)] : []),
    );
    place.under_way_ms ??= oldest_ms;
    try {
      const result = await work();
      this.telemetry.count('tender_follower_events_total', labels, recorded.length);
      if (place.under_way_ms !== null && oldest_ms <= place.under_way_ms) place.under_way_ms = null;
      place.handled_ms = this.clock.wall() - newest_ms < YOUNG_MS ? null : newest_ms;
      return result;
    } catch (error) {
      this.telemetry.count('tender_follower_failures_total', labels);
      throw error;
    }
  }

  /** No event recorded before `wall_ms` is still to come. */
  caughtUp(follower: string, mode: StreamMode, wall_ms: number): void {
    const place = this.placeOf(follower, mode);
    const { under_way_ms, handled_ms } = place;
    if (under_way_ms !== null && under_way_ms <= wall_ms) place.under_way_ms = null;
    if (handled_ms !== null && handled_ms <= wall_ms) place.handled_ms = null;
  }

  /** Wall time (ms) of the progress without which it would look behind for no reason; null: it needs none. */
  awaits(follower: string, mode: StreamMode): number | null {
    const place = this.behind.get(`${follower}:${mode}`);
    const { under_way_ms = null, handled_ms = null } = place ?? {};
    const newest_ms = Math.max(under_way_ms ?? 0, handled_ms ?? 0);
    return newest_ms > 0 && this.clock.wall() - newest_ms >= YOUNG_MS ? newest_ms : null;
  }

  ended(follower: string, mode: StreamMode): void {
    this.behind.delete(`${follower}:${mode}`);
  }

  private placeOf(follower: string, mode: StreamMode): Place {
    const key = `${follower}:${mode}`;
    const known = this.behind.get(key);
    if (known) return known;
    const place = { labels: { follower, mode }, under_way_ms: null, handled_ms: null };
    this.behind.set(key, place);
    return place;
  }
}
