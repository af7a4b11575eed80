import type { MovedEvent, MovedPositions, Sql } from '@tender/eventing';
import { plainName } from '../read-models/service-schema';

/** `was` is a number, because a checkpoint may lie between two events; `position` is as the new log gives it. */
const TABLES = `
  create schema if not exists migrate_log;
  create table if not exists migrate_log.moved (was numeric primary key, position text not null);
  create table if not exists migrate_log.done (what text primary key, done_at timestamptz not null default now());
`;

const KEEP = `insert into migrate_log.moved (was, position)
  select * from unnest($1::numeric[], $2::text[]) on conflict (was) do nothing`;
const LAST = `select was::text as "from", position as "to" from migrate_log.moved
  order by was desc limit 1`;
const FIND = `select was::text as "from", position as "to" from migrate_log.moved
  where was = any($1::numeric[])`;

/** Marks a step as done, in the transaction of the step; false when it was done before. */
export async function doneNow(tx: Sql, what: 'positions' | 'lanes'): Promise<boolean> {
  await tx.query(TABLES);
  const [mine] = await tx.query(
    'insert into migrate_log.done (what) values ($1) on conflict (what) do nothing returning what',
    [what],
  );
  return mine !== undefined;
}

/** Beside the read models, so that a copy that was cut off goes on, and checkpoints can be translated in place. */
export async function movedPositions(sql: Sql): Promise<MovedPositions> {
  await sql.query(TABLES);
  return {
    async last() {
      const [row] = await sql.query<MovedEvent>(LAST);
      return row ?? null;
    },
    async keep(moved) {
      await sql.query(KEEP, [moved.map(({ from }) => from), moved.map(({ to }) => to)]);
    },
    async find(from) {
      const rows = await sql.query<MovedEvent>(FIND, [[...from]]);
      return new Map(rows.map((row) => [row.from, row.to]));
    },
  };
}

/** A checkpoint is past the end of the log that was copied: it is of another one. */
export class ForeignCheckpoint extends Error {
  override readonly name = 'ForeignCheckpoint';
}

/** A table that keeps positions of the log. */
interface PositionTable {
  readonly name: string;
  readonly is_unique: boolean;
}

// A position is kept in a text column of that name, wherever it is kept: checkpoints, parked messages, and the
// rows of projections, which readers compare with what they must see.
const POSITION_TABLES = `select format('%I.%I', c.table_schema, c.table_name) as name,
    exists (
      select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = format('%I.%I', c.table_schema, c.table_name)::regclass
        and i.indisunique and a.attname = 'position') as is_unique
  from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
  where c.column_name = 'position' and c.data_type = 'text' and t.table_type = 'BASE TABLE'
    and c.table_schema = any($1) order by name`;

/**
 * Every position in these schemas becomes the position of the same event in the new log; one between two events
 * becomes that of the one before, which is what was handled. All in the caller's transaction, and once: a second
 * call finds it done and answers false. Takes every follower away from programs that still follow the old log.
 */
export async function translatePositions(tx: Sql, schemas: readonly string[]): Promise<boolean> {
  if (!(await doneNow(tx, 'positions'))) return false;
  for (const schema of schemas) await refuseForeign(tx, plainName(schema));
  for (const table of await tx.query<PositionTable>(POSITION_TABLES, [[...schemas]])) {
    await translateTable(tx, table);
  }
  for (const schema of schemas) {
    await tx.query(`update ${schema}.checkpoints set epoch = epoch + 1, owner = 'migrate-log'`);
  }
  return true;
}

async function refuseForeign(tx: Sql, schema: string): Promise<void> {
  const [foreign] = await tx.query<{ follower: string }>(
    `select follower from ${schema}.checkpoints where position is not null and
      position::numeric > (select coalesce(max(was), 0) from migrate_log.moved) limit 1`,
  );
  if (!foreign) return;
  throw new ForeignCheckpoint(
    `${schema}: ${foreign.follower} is past the end of the old log; these tables belong to another one`,
  );
}

async function translateTable(tx: Sql, { name, is_unique }: PositionTable): Promise<void> {
  // Unique values are checked row by row: on the way they must not meet those that are not translated yet.
  const mark = is_unique ? `'new ' || ` : '';
  await tx.query(`update ${name} as kept set position = ${mark}(
      select moved.position from migrate_log.moved where was <= kept.position::numeric
      order by was desc limit 1)
    where kept.position is not null`);
  if (is_unique) await tx.query(`update ${name} set position = substr(position, 5)`);
}
