import { besideFollower, generationTable, type Generation, type Sql } from '@tender/eventing';
import { copyTable } from './copy-table';
import {
  dropGeneration,
  liveOf,
  lockGenerations,
  viewOf,
  type OwnedProjection,
} from './generation-tables';
import type { PostgresReadModels } from './postgres-read-models';

export interface BegunGeneration {
  readonly generation: number;
  /** When this program began it, a replay that was cut short or not swapped; null: it is new. */
  readonly begun_at: string | null;
  /** The one that another program had begun, and that is gone. */
  readonly replaced: number | null;
}

/**
 * Goes on with the generation that is being built, or makes the table of a new one. One that another program has
 * begun may hold what that one has folded otherwise, and its checkpoint would hide it: it is dropped. `program`
 * tells programs apart, in hexadecimal digits.
 */
export function beginGeneration(
  readModels: PostgresReadModels,
  { schema, projection }: OwnedProjection,
  program: string,
): Promise<BegunGeneration> {
  return readModels.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = '5s'`);
    const generations = await lockGenerations(tx, schema, projection);
    const building = generations.find(({ state }) => state === 'building');
    if (building && (await isBegunBy(tx, projection.table, building, program))) {
      return { generation: building.generation, begun_at: building.changed_at, replaced: null };
    }
    const replaced = building?.generation ?? null;
    if (replaced !== null) await dropGeneration(tx, { schema, projection }, replaced);
    const generation = nextOf(generations);
    const table = generationTable(projection.table, generation);
    await copyTable(tx, generationTable(projection.table, liveOf(generations).generation), table);
    await tx.query(`comment on table ${table} is '${commentOf(program)}'`);
    await tx.query(`delete from ${schema}.checkpoints where follower = any($1)`, [
      projection.modes.map((mode) => besideFollower(projection.name, generation, mode)),
    ]);
    await tx.query(`insert into ${schema}.generations (view, generation, state) values ($1, $2, 'building')`, [
      viewOf(projection),
      generation,
    ]);
    return { generation, begun_at: null, replaced };
  });
}

/** A number that none of them has had: what still writes to one that was dropped finds nothing. */
export const nextOf = (generations: readonly Generation[]): number =>
  Math.max(...generations.map(({ generation }) => generation)) + 1;

/** Whether a table was begun by this program; one of a release that kept no such note was not. */
export async function isBegunBy(
  sql: Sql,
  view: string,
  { generation }: Pick<Generation, 'generation'>,
  program: string,
): Promise<boolean> {
  const [row] = await sql.query<{ note: string | null }>(
    `select obj_description($1::regclass, 'pg_class') as note`,
    [generationTable(view, generation)],
  );
  return row?.note === commentOf(program);
}

/** Kept with the table itself: no release has to know a column for it, and it goes when the table goes. */
function commentOf(program: string): string {
  if (!/^[0-9a-f]+$/.test(program)) throw new Error('a program is told by hexadecimal digits');
  return `begun by the program ${program}`;
}
