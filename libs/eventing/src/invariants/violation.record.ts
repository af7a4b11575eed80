import type { StreamMode, StreamName } from '../events/event';
import type { Sql } from '../ports/read-models';
import { rowSource } from '../projections/row-source';

/** An object that broke an invariant when it was last looked at. */
export interface Violation {
  /** `M10` */
  readonly invariant: string;
  readonly mode: StreamMode;
  readonly stream: StreamName;
  readonly says: string;
}

export interface ViolationCount {
  readonly invariant: string;
  readonly mode: StreamMode;
  readonly objects: number;
}

const ROWS = rowSource({ invariant: 'text', mode: 'text', stream: 'text', says: 'text' });

/** Answers those that are new; one that was known stays as it is. */
export async function keepViolations(
  sql: Sql,
  schema: string,
  found: readonly Violation[],
): Promise<readonly Violation[]> {
  if (found.length === 0) return [];
  return sql.query<Violation>(
    `insert into ${schema}.invariant_violations (${ROWS.columns}) select * from ${ROWS.sql}
      on conflict do nothing returning ${ROWS.columns}`,
    ROWS.valuesOf(found),
  );
}

/** These objects were looked at, and those that are not `still` broken are well again. Answers which were not. */
export async function dropMended(
  sql: Sql,
  schema: string,
  invariant: string,
  streams: readonly StreamName[],
  still: readonly StreamName[],
): Promise<readonly StreamName[]> {
  const rows = await sql.query<{ stream: StreamName }>(
    `delete from ${schema}.invariant_violations
      where invariant = $1 and stream = any($2) and stream <> all($3) returning stream`,
    [invariant, streams, still],
  );
  return rows.map(({ stream }) => stream);
}

/** The oldest ones, to be looked at again. */
export async function knownViolations(
  sql: Sql,
  schema: string,
  limit: number,
): Promise<readonly StreamName[]> {
  const rows = await sql.query<{ stream: StreamName }>(
    `select stream from ${schema}.invariant_violations
      group by stream order by min(found_at), stream limit ${limit}`,
  );
  return rows.map(({ stream }) => stream);
}

export const countViolations = (sql: Sql, schema: string): Promise<readonly ViolationCount[]> =>
  sql.query<ViolationCount>(
    `select invariant, mode, count(*)::float8 as objects from ${schema}.invariant_violations
      group by invariant, mode`,
  );
