import type { Projection } from './projection';
import type { StreamMode } from '../events/event';
import type { ReadModels, RowsByKey, Sql } from '../ports/read-models';

/**
 * One table of a projection. `live` is the one behind the view; `kept` was, and is followed so that it can be
 * again; `building` has no follower but the replay that fills it.
 */
export interface Generation {
  readonly generation: number;
  readonly state: 'live' | 'kept' | 'building';
  /** When it became what it is, as text: two swaps in a row leave the same states. */
  readonly changed_at: string;
}

/** `payments.payment_details` → `payments.payment_details_g2`. */
export const generationTable = (view: string, generation: number): string =>
  `${view}_g${generation}`;

/** The checkpoint that readers know: it always tells of the table behind the view. */
export const projectionFollower = (projection: string, mode: StreamMode): string =>
  `${projection}:${mode}`;

/** The checkpoint of a table that is not behind the view. */
export const besideFollower = (projection: string, generation: number, mode: StreamMode): string =>
  `${projection}#${generation}:${mode}`;

export const generationFollower = (
  { name }: Projection,
  { generation, state }: Pick<Generation, 'generation' | 'state'>,
  mode: StreamMode,
): string =>
  state === 'live' ? projectionFollower(name, mode) : besideFollower(name, generation, mode);

const GENERATIONS: RowsByKey<Generation> = {
  select: (schema, parameter) =>
    `select view as key, generation, state, changed_at::text as changed_at
      from ${schema}.generations where view = any($${parameter})`,
};

/** Like `readGenerations`, with one question for all that look at the same moment. */
export async function lookAtGenerations(
  readModels: Pick<ReadModels, 'rowsByKey'>,
  schema: string,
  projection: Pick<Projection, 'table'>,
): Promise<readonly Generation[]> {
  const rows = await readModels.rowsByKey(GENERATIONS, schema, viewOf(projection));
  return rows
    .map(({ generation, state, changed_at }) => ({ generation, state, changed_at }))
    .sort((one, other) => one.generation - other.generation);
}

const viewOf = ({ table }: Pick<Projection, 'table'>): string =>
  table.slice(table.indexOf('.') + 1);

/** All of a projection, oldest first; none before the migration that makes the first. */
export async function readGenerations(
  sql: Sql,
  schema: string,
  projection: Pick<Projection, 'table'>,
): Promise<readonly Generation[]> {
  return await sql.query<Generation>(
    `select generation, state, changed_at::text as changed_at from ${schema}.generations
      where view = $1 order by generation`,
    [viewOf(projection)],
  );
}

/**
 * The statements of a migration that makes each table the first generation behind a view of its name; `down`
 * only while that generation is the live one.
 */
export function firstGenerations(
  schema: string,
  views: readonly string[],
): { readonly up: readonly string[]; readonly down: readonly string[] } {
  return {
    up: views.flatMap((view) => [
      `alter table ${schema}.${view} rename to ${view}_g1`,
      `create view ${schema}.${view} as select * from ${schema}.${view}_g1`,
      `insert into ${schema}.generations (view, generation, state) values ('${view}', 1, 'live')`,
    ]),
    down: views.flatMap((view) => [
      `drop view ${schema}.${view}`,
      `alter table ${schema}.${view}_g1 rename to ${view}`,
      `delete from ${schema}.generations where view = '${view}'`,
    ]),
  };
}
