import type { Sql } from '../ports/read-models';

/** So many in any span of that length. */
export interface TryLimit {
  readonly tries_max: number;
  readonly span_ms: number;
}

/** The table of a context’s tries: `accounts.counted_tries`. */
export type TriesTable = `${string}.counted_tries`;

/** `at_ms`: of the tries that count, oldest first; each kind of try has times of one clock. */
export const triesTable = (table: TriesTable): readonly string[] => [
  `create table ${table} (counted text primary key, at_ms bigint[] not null, newest_ms bigint not null)`,
  `create index counted_tries_by_age on ${table} (newest_ms)`,
];

/**
 * Takes one try. Null: it may be made; else when (ms) the next one may. The row is locked for the length of one
 * statement, so that of tries at the same moment no more are made than of tries one after the other (S28, S34). In a
 * transaction that does not commit it was not taken: a guess is therefore counted outside of any.
 */
export async function takeTry(
  sql: Sql,
  table: TriesTable,
  counted: string,
  now: number,
  { tries_max, span_ms }: TryLimit,
): Promise<number | null> {
  const since = now - span_ms;
  const counting = 'unnest(known.at_ms) as tried(ms) where ms > $3';
  const taken = await sql.query(
    `insert into ${table} as known (counted, at_ms, newest_ms) values ($1, array[$2::bigint], $2)
      on conflict (counted) do update
        set at_ms = array(select ms from ${counting} order by ms) || $2::bigint,
          newest_ms = $2
        where (select count(*) from ${counting}) < $4
      returning counted`,
    [counted, now, since, tries_max],
  );
  if (taken.length > 0) return null;
  const [row] = await sql.query<{ oldest: number | null }>(
    `select min(ms)::float8 as oldest from ${table} known, unnest(known.at_ms) as tried(ms)
      where counted = $1 and ms > $2`,
    [counted, since],
  );
  return (row?.oldest ?? now) + span_ms;
}

/** What was tried counts no more. */
export async function forgetTries(sql: Sql, table: TriesTable, counted: string): Promise<void> {
  await sql.query(`delete from ${table} where counted = $1`, [counted]);
}

/** Drops what counts for nothing any more. */
export async function forgetOldTries(sql: Sql, table: TriesTable, before: number): Promise<void> {
  await sql.query(`delete from ${table} where newest_ms < $1`, [before]);
}
