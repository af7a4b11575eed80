import { type OwnedProjection } from '@tender/adapter-postgres';
import {
  categoriesOf,
  generationFollower,
  readGenerations,
  type Generation,
  type Lag,
  type Position,
  type StreamMode,
} from '@tender/eventing';
import type { System } from '../system';

/** `stopped`: there are events to read, and its checkpoint has not moved for half a minute. */
export type ProjectionState = 'live' | 'behind' | 'stopped' | 'building' | 'kept';

export interface ProjectionLine {
  readonly projection: string;
  readonly mode: StreamMode;
  readonly generation: number;
  readonly state: ProjectionState;
  readonly position: Position | null;
  readonly lag: Lag;
}

interface Checkpoint {
  readonly position: Position | null;
  /** Seconds since it last moved. */
  readonly still_s: number;
}

const STILL_S_MAX = 30;
/** What a live projection may take while it keeps up. */
const KEEPING_UP_S = 2;

/** One line per projection, generation and mode; none where its migration has not run. */
export async function readProjections(
  { readModels, log }: System,
  owned: readonly OwnedProjection[],
): Promise<readonly ProjectionLine[]> {
  const lines: ProjectionLine[] = [];
  for (const { schema, projection } of owned) {
    for (const generation of await readGenerations(readModels, schema, projection)) {
      for (const mode of projection.modes) {
        const follower = generationFollower(projection, generation, mode);
        const [row] = await readModels.query<Checkpoint>(
          `select position, extract(epoch from now() - updated_at)::float8 as still_s
            from ${schema}.checkpoints where follower = $1`,
          [follower],
        );
        const position = row?.position ?? null;
        const lag = await log.lag(categoriesOf(projection, mode), position);
        lines.push({
          ...{ projection: projection.name, mode, generation: generation.generation },
          state: stateOf(generation, lag, row?.still_s ?? Infinity),
          ...{ position, lag },
        });
      }
    }
  }
  return lines;
}

/** `still_s`: seconds since its checkpoint moved. */
export function stateOf(
  { state }: Pick<Generation, 'state'>,
  lag: Lag,
  still_s: number,
): ProjectionState {
  const is_still = still_s > STILL_S_MAX;
  if (state === 'building') return is_still ? 'stopped' : 'building';
  if (lag.events === 0 || lag.seconds < KEEPING_UP_S) return state;
  return is_still && lag.seconds > STILL_S_MAX ? 'stopped' : 'behind';
}
