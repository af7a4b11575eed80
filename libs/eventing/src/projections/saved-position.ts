import type { Position } from '../events/event';
import type { Sql } from '../ports/read-models';

/**
 * How far a follower’s rows are, for a process that only looks: `ReadModels.checkpoint` would take the
 * follower over. Null when it has saved none.
 */
export async function savedPosition(
  sql: Sql,
  schema: string,
  follower: string,
): Promise<Position | null> {
  const [row] = await sql.query<{ position: Position | null }>(
    `select position from ${schema}.checkpoints where follower = $1`,
    [follower],
  );
  return row?.position ?? null;
}
