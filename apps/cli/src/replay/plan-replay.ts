import { isBegunBy, liveOf, nextOf, type OwnedProjection } from '@tender/adapter-postgres';
import {
  besideFollower,
  categoriesOf,
  generationTable,
  projectionFollower,
  readGenerations,
  savedPosition,
  type Position,
  type StreamMode,
} from '@tender/eventing';
import type { System } from '../system';

export interface ModePlan {
  readonly mode: StreamMode;
  /** Where the new table is, when one was begun before. */
  readonly from: Position | null;
  /** Where the live one is; null when it has not begun: then to the end of the log. */
  readonly until: Position | null;
  readonly events: number | null;
}

export interface ReplayPlan {
  readonly projection: string;
  readonly view: string;
  readonly live_table: string;
  readonly new_table: string;
  /** A replay that was cut short, or not swapped, goes on. */
  readonly resumes: boolean;
  /** When that one was begun; null: none goes on. */
  readonly begun_at: string | null;
  /** A table that another release has begun, and that is dropped for the new one. */
  readonly replaces: string | null;
  readonly rows_estimated: number;
  readonly events_total: number | null;
  readonly modes: readonly ModePlan[];
}

/** What a replay would do; reads only. */
export async function planReplay(
  { readModels, log }: System,
  { schema, projection }: OwnedProjection,
  program: string,
): Promise<ReplayPlan> {
  const generations = await readGenerations(readModels, schema, projection);
  const live_table = generationTable(projection.table, liveOf(generations).generation);
  const building = generations.find(({ state }) => state === 'building') ?? null;
  const resumes =
    building !== null && (await isBegunBy(readModels, projection.table, building, program));
  const next = resumes ? building.generation : nextOf(generations);
  const modes: ModePlan[] = [];
  for (const mode of projection.modes) {
    const beside = besideFollower(projection.name, next, mode);
    const live = projectionFollower(projection.name, mode);
    const from = resumes ? await savedPosition(readModels, schema, beside) : null;
    const until = await savedPosition(readModels, schema, live);
    const events = await log.count(categoriesOf(projection, mode), from, until);
    modes.push({ mode, from, until, events });
  }
  const [size] = await readModels.query<{ rows: number }>(
    'select greatest(reltuples, 0)::float8 as rows from pg_class where oid = $1::regclass',
    [live_table],
  );
  return {
    ...{ projection: projection.name, view: projection.table, live_table },
    new_table: generationTable(projection.table, next),
    resumes,
    begun_at: resumes ? building.changed_at : null,
    replaces: building && !resumes ? generationTable(projection.table, building.generation) : null,
    rows_estimated: size?.rows ?? 0,
    events_total: modes.reduce<number | null>(
      (sum, { events }) => (sum === null || events === null ? null : sum + events),
      0,
    ),
    modes,
  };
}
