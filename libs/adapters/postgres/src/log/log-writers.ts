import type { Sql } from '@tender/eventing';
import { LOCK_CLASS, WRITER_LOCK } from './log-locks';

/** Who may write the log in this Postgres now: one process alone, or several; null where none runs. */
export async function readLogWriters(sql: Sql): Promise<'alone' | 'shared' | null> {
  const [held] = await sql.query<{ alone: boolean }>(
    `select mode = 'ExclusiveLock' as alone from pg_locks
      where locktype = 'advisory' and classid = ${LOCK_CLASS} and objid = ${WRITER_LOCK} and granted
        and database = (select oid from pg_database where datname = current_database()) limit 1`,
  );
  if (!held) return null;
  return held.alone ? 'alone' : 'shared';
}
