import type { StreamMode, StreamName } from '../events/event';
import type { Sql } from '../ports/read-models';
import type { CheckedKind, KindList } from './invariant-check';

export interface ListedPage {
  readonly streams: readonly StreamName[];
  /** The key of the last one; null after the last of all. */
  readonly next: string | null;
}

interface Listed {
  readonly key: string;
  readonly id: string;
  readonly mode: StreamMode;
}

/** The next objects of a kind after that key, `''` for the first ones, in both modes: one walk down an index. */
export async function listedObjects(
  sql: Sql,
  { stream }: Pick<CheckedKind, 'stream'>,
  { table, key, id }: KindList,
  after: string,
  limit: number,
): Promise<ListedPage> {
  const rows = await sql.query<Listed>(
    `select ${key} as key, ${id} as id, mode from ${table}
      where ${key} > $1 order by ${key} limit ${limit}`,
    [after],
  );
  const streams = rows.map((row) => stream(row.mode, row.id));
  return { streams, next: rows.length < limit ? null : (rows.at(-1)?.key ?? null) };
}
