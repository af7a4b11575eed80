import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Projection } from '@tender/eventing';
import type { PostgresReadModels } from './postgres-read-models';

/** Of an advisory lock, with a hash of the projection's name: `TENF`. No program that serves holds one. */
const REPLAY_CLASS = 0x54454e46;

/** One that was killed just now holds it for a moment longer. */
const KILLED_WAIT_MS = 3_000;
const RETRY_MS = 50;

/** Another command replays, swaps or drops tables of this projection. */
export class ReplayIsTaken extends Error {
  override readonly name = 'ReplayIsTaken';
  constructor(
    projection: string,
    /** `tender replay pid 123 on host` */
    readonly holder: string,
  ) {
    super(`another replay of ${projection} is under way (${holder})`);
  }
}

/**
 * One command at a time works on the tables of a projection, for as long as it lives. Throws `ReplayIsTaken`; answers
 * the release. Its connection ends with its process, however that ends.
 */
export async function holdReplay(
  { pool }: Pick<PostgresReadModels, 'pool'>,
  { name }: Pick<Projection, 'name'>,
  wait_ms = KILLED_WAIT_MS,
): Promise<() => Promise<void>> {
  const session = await pool.connect();
  const until_ms = performance.now() + wait_ms;
  try {
    const application = `tender replay pid ${process.pid} on ${hostname()}`.slice(0, 63);
    await session.query(`select set_config('application_name', $1, false)`, [application]);
    while (!(await take(session, name))) {
      const is_late = performance.now() >= until_ms;
      if (is_late) throw new ReplayIsTaken(name, await holderOf(session, name));
      await pause(RETRY_MS);
    }
  } catch (error) {
    session.release();
    throw error;
  }
  return async () => {
    try {
      await session.query(`select pg_advisory_unlock(${REPLAY_CLASS}, hashtext($1))`, [name]);
      await session.query('reset application_name');
    } finally {
      session.release();
    }
  };
}

async function take(session: PoolClient, name: string): Promise<boolean> {
  const { rows } = await session.query<{ taken: boolean }>(
    `select pg_try_advisory_lock(${REPLAY_CLASS}, hashtext($1)) as taken`,
    [name],
  );
  return rows[0]?.taken === true;
}

async function holderOf(session: PoolClient, name: string): Promise<string> {
  const { rows } = await session.query<{ named: string }>(
    `select application_name as named from pg_stat_activity join pg_locks using (pid)
      where locktype = 'advisory' and classid = ${REPLAY_CLASS} and granted
        and objid::bigint = hashtext($1)::bigint & 4294967295 and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())`,
    [name],
  );
  return rows[0]?.named ?? 'it has ended just now';
}
