import type { Category, Position, StreamMode } from '../events/event';
import type { EventStore } from '../ports/event-store';
import { FollowedGenerations, type FollowedGenerationsOptions } from './followed-generations';
import { projectionFollower } from './generations';
import type { Projection } from './projection';
import { isLookDue } from '../following/look-times';
import { ReturningFollower } from '../following/returning-follower';

export interface FollowProjectionsOptions extends FollowedGenerationsOptions {
  readonly eventStore: EventStore;
  readonly projections: readonly Projection[];
}

export interface ProjectionFollowers {
  /** Each projection goes on from its own checkpoint. */
  start(): Promise<void>;
  /** Everything that was in the log at the time of the call is in the tables. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** Of a backlog; what is live comes in batches as small as it comes. */
const BATCH_MAX = 5_000;
/** Reads by id do not wait for it (P4), and lists wait longer than this. */
const PACE_MS = 50;

interface FollowedProjection {
  readonly follower: ReturningFollower;
  readonly generations: FollowedGenerations;
}

/** One follower per projection and mode; rows and checkpoint of a generation in one transaction. */
export function followProjections(options: FollowProjectionsOptions): ProjectionFollowers {
  const followers: FollowedProjection[] = [];
  return {
    async start() {
      for (const projection of options.projections) {
        for (const mode of projection.modes) {
          followers.push(await followProjection(options, projection, mode));
        }
      }
    },
    async idle() {
      await Promise.all(followers.map(({ follower }) => follower.idle()));
    },
    async stop() {
      await Promise.all(
        followers.splice(0).map(async ({ follower, generations }) => {
          await follower.stop();
          generations.release();
        }),
      );
    },
  };
}

async function followProjection(
  options: FollowProjectionsOptions,
  projection: Projection,
  mode: StreamMode,
): Promise<FollowedProjection> {
  const generations = new FollowedGenerations(options, projection, mode);
  let saved: Position | null = null;
  let looked_ms = 0;

  const follower = new ReturningFollower({
    ...{ eventStore: options.eventStore, log: options.log },
    open: async () => (saved = await generations.open()),
    follow: {
      name: projectionFollower(projection.name, mode),
      categories: projection.nouns.map((noun): Category => `${noun}.${mode}`),
      batch_max: BATCH_MAX,
      pace_ms: PACE_MS,
      onEvents: (events) => generations.apply(events),
      onProgress(position, wall_ms) {
        generations.noteProgress(position);
        if (!isLookDue(looked_ms, wall_ms)) return;
        looked_ms = wall_ms;
        return look(position);
      },
    },
  });
  try {
    await follower.start();
  } catch (error) {
    // Its checkpoint may have been taken over: the next start takes it again.
    generations.release();
    throw error;
  }
  return { follower, generations };

  async function look(position: Position): Promise<void> {
    // Where nothing happens, nothing else would show that the database was set back.
    await generations.look();
    if (position === saved) return;
    // Only so that a restart is cheap: the events between are of other categories.
    await generations.saveProgress(position);
    saved = position;
  }
}
