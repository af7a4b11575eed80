import type { Position } from '../events/event';
import type { Sql } from '../ports/read-models';

/** How far the checks of one kind are: what changed is looked at hourly, all objects in turn over days. */
export interface Pass {
  /** Of the log: all that happened up to here was looked at. Null before the first pass. */
  readonly position: Position | null;
  /** Key of the object at which the walk over all of them has stopped; `''`: it begins anew. */
  readonly walked_to: string;
}

export async function readPass(sql: Sql, schema: string, kind: string): Promise<Pass> {
  const [pass] = await sql.query<Pass>(
    `select position, walked_to from ${schema}.invariant_passes where kind = $1`,
    [kind],
  );
  return pass ?? { position: null, walked_to: '' };
}

/** Two processes that both believe to lead set it back at worst, and look at something twice. */
export async function savePass(
  sql: Sql,
  schema: string,
  kind: string,
  { position, walked_to }: Pass,
): Promise<void> {
  await sql.query(
    `insert into ${schema}.invariant_passes (kind, position, walked_to) values ($1, $2, $3)
      on conflict (kind) do update set position = excluded.position, walked_to = excluded.walked_to`,
    [kind, position, walked_to],
  );
}
