import type { EventStore, Position, Sql } from '@tender/eventing';
import { ALONE } from './hand-over-to-lanes';

/** What the tables tell of the programs that have used them. */
export interface LogPlace {
  /** Consumers of a program that was alone. */
  readonly alone: number;
  /** Partitions of consumers of services. */
  readonly lanes: number;
  /** How far followers of any kind have read, those that are past the beginning of a log. */
  readonly read_to: readonly Position[];
  /** The log in this Postgres has been copied to another store: this one is out of date. */
  readonly moved: boolean;
  /** Newest position of the log in this Postgres; null where there is none, or nothing in it. */
  readonly newest: string | null;
}

/** Reads; changes nothing. Schemas that are not there yet count for nothing. */
export async function readLogPlace(sql: Sql, schemas: readonly string[]): Promise<LogPlace> {
  let [alone, lanes] = [0, 0];
  const read_to: Position[] = [];
  for (const schema of schemas) {
    if (!(await isThere(sql, `${schema}.checkpoints`))) continue;
    const [counted] = await sql.query<{ alone: number; lanes: number; read_to: Position[] | null }>(
      `select count(*) filter (where ${ALONE})::int as alone,
        count(*) filter (where follower ~ '^[^:]+:[^:]+:[^:]+$')::int as lanes,
        array_agg(distinct position) filter (where position ~ '[1-9]') as read_to
        from ${schema}.checkpoints`,
    );
    alone += counted?.alone ?? 0;
    lanes += counted?.lanes ?? 0;
    read_to.push(...(counted?.read_to ?? []));
  }
  const [moved] = (await isThere(sql, 'migrate_log.done'))
    ? await sql.query("select 1 from migrate_log.done where what = 'positions'")
    : [];
  const [newest] = (await isThere(sql, 'log.events'))
    ? await sql.query<{ position: string }>(
        'select position::text from log.events order by position desc limit 1',
      )
    : [];
  return { alone, lanes, read_to, moved: moved !== undefined, newest: newest?.position ?? null };
}

async function isThere(sql: Sql, table: string): Promise<boolean> {
  const [found] = await sql.query<{ there: boolean }>(
    'select to_regclass($1) is not null as there',
    [table],
  );
  return found?.there === true;
}

/** Those of Tender: other programs may have tables of that name. */
const SCHEMAS = `
  select table_schema as schema from information_schema.columns
  where table_name = 'checkpoints' and table_schema ~ '^[a-z][a-z0-9_]{0,62}$'
    and (column_name, data_type) in (('follower', 'text'), ('position', 'text'), ('epoch', 'bigint'))
  group by table_schema having count(*) = 3`;

/** Started on these tables, the program would tell things twice or write to a log that no program reads. */
export class LogIsElsewhere extends Error {
  override readonly name = 'LogIsElsewhere';
}

/**
 * Throws `LogIsElsewhere` where tables are another run's, were left by `tender ops migrate-log` for another log, or
 * have a history that the log has not. `run`: one process, or services over the log in Postgres or in an EventStoreDB.
 */
export async function refuseOtherLog(
  sql: Sql,
  run: 'alone' | 'postgres' | 'eventstore',
  eventStore: Pick<EventStore, 'newest' | 'isBefore'>,
): Promise<void> {
  // Of every service: one without consumers could not tell whose its own tables are.
  const services = await sql.query<{ schema: string }>(SCHEMAS);
  const schemas = services.map(({ schema }) => schema);
  const { alone, lanes, read_to, moved, newest } = await readLogPlace(sql, schemas);
  const reasons: readonly (readonly [is_so: boolean, why: string])[] = [
    [
      run === 'alone' && lanes > 0,
      'services run on this database, or did: what they have told would be told again',
    ],
    [
      run !== 'alone' && alone > 0 && lanes === 0 && newest !== null,
      'one process ran alone on this database: "tender ops migrate-log" hands its log over first',
    ],
    [
      run !== 'eventstore' && moved,
      'the log of this database was moved to an EventStoreDB: set EVENTSTORE_URL to it',
    ],
    [
      run === 'eventstore' && newest !== null && !moved,
      'the log is in this Postgres: unset EVENTSTORE_URL; only that of a program that runs alone can be moved',
    ],
    [
      run !== 'eventstore' && newest === null && read_to.length > 0,
      'what follows the log has read one that is not in this database: set EVENTSTORE_URL to it, or restore it',
    ],
    [
      run === 'eventstore' && (await endsBefore(eventStore, read_to)),
      'what follows the log has read more than this EventStoreDB has, which is empty, another one or an older copy: set EVENTSTORE_URL to the one that it read, restore it, or begin on an empty database as well',
    ],
  ];
  const why = reasons.find(([is_so]) => is_so)?.[1];
  if (why) throw new LogIsElsewhere(why);
}

/** True when followers have read what this log does not have. A real server always has events of its own. */
async function endsBefore(
  log: Pick<EventStore, 'newest' | 'isBefore'>,
  read_to: readonly Position[],
): Promise<boolean> {
  if (read_to.length === 0) return false;
  const end = await log.newest();
  return end === null || read_to.some((position) => log.isBefore(end, position));
}
