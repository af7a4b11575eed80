import type { Category, Position, StoredEvent, StreamMode } from './event';
import type { EventStore, Follower } from './event-store';
import type { Projection } from './context';
import type { ReadModels } from './read-models';

export interface FollowProjectionsOptions {
  readonly eventStore: EventStore;
  readonly readModels: ReadModels;
  readonly schema: string;
  readonly projections: readonly Projection[];
}

export interface ProjectionFollowers {
  /** Each projection goes on from its own checkpoint. */
  start(): Promise<void>;
  /** Everything that was in the log at the time of the call is in the tables. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/** The checkpoint's name, for `ReadModels.waitFor`. */
export const projectionFollower = (projection: string, mode: StreamMode): string =>
  `${projection}:${mode}`;

const BATCH_MAX = 500;
/** Reads by id do not wait for it (settled 22), and lists wait longer than this. */
const PACE_MS = 50;
const SAVE_PROGRESS_MS = 5_000;

/** One follower and checkpoint per projection and mode; rows and checkpoint in one transaction. */
export function followProjections(options: FollowProjectionsOptions): ProjectionFollowers {
  const followers: Follower[] = [];
  return {
    async start() {
      for (const projection of options.projections) {
        for (const mode of projection.modes) {
          followers.push(await followProjection(options, projection, mode));
        }
      }
    },
    async idle() {
      await Promise.all(followers.map((follower) => follower.idle()));
    },
    async stop() {
      await Promise.all(followers.splice(0).map((follower) => follower.stop()));
      for (const { name, modes } of options.projections) {
        for (const mode of modes) {
          options.readModels.release(options.schema, projectionFollower(name, mode));
        }
      }
    },
  };
}

async function followProjection(
  { eventStore, readModels, schema }: FollowProjectionsOptions,
  projection: Projection,
  mode: StreamMode,
): Promise<Follower> {
  const name = projectionFollower(projection.name, mode);
  let saved: Position | null = await readModels.checkpoint(schema, name);
  let saved_ms = 0;
  let unsure = false;

  return eventStore.follow({
    name,
    categories: projection.nouns.map((noun): Category => `${noun}.${mode}`),
    from: saved,
    batch_max: BATCH_MAX,
    pace_ms: PACE_MS,
    async onEvents(events) {
      // A transaction that ended in the dark may have been committed.
      if (unsure) saved = await readModels.checkpoint(schema, name);
      const fresh = events.filter(({ position }) => !saved || eventStore.isBefore(saved, position));
      unsure = false;
      if (fresh.length === 0) return;
      const { position } = fresh.at(-1) as StoredEvent;
      unsure = true;
      await readModels.transaction(async (tx) => {
        await projection.apply(fresh, tx);
        await readModels.saveCheckpoint(tx, schema, name, position);
      });
      saved = position;
      unsure = false;
    },
    async onProgress(position, wall_ms) {
      readModels.noteProgress?.(schema, name, position);
      if (position === saved || wall_ms - saved_ms < SAVE_PROGRESS_MS) return;
      // Only so that a restart is cheap: the events between are of other categories.
      await readModels.transaction((tx) => readModels.saveCheckpoint(tx, schema, name, position));
      saved = position;
      saved_ms = wall_ms;
    },
  });
}
