import type { Client } from 'pg';
import { LOG_SCHEMA, SELECT_NEWEST } from './event-rows';
import {
  COMMITTERS_LOCK,
  COMMITTERS_OF_LONE_WRITER,
  COMMITTERS_OF_SHARERS,
  LOCK_CLASS,
  LogConnections,
  outlive,
  SCHEMA_LOCK,
  takeWriterLock,
} from './log-locks';

// Plans that stay right while the table grows: a statement prepared on the empty table would scan it for ever.
export const COMMITTER_PLANNING =
  '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off' +
  ' -c plan_cache_mode=force_generic_plan -c synchronous_commit=on';

/** The right to write, and the connections to do it with. Ends as a whole. */
export interface WriterSession {
  readonly position_max: number;
  openCommitter(): Promise<Client>;
  end(): Promise<void>;
}

/** Takes the lock, waits until no append of a predecessor can still commit, makes the table. */
export async function openWriterSession(options: {
  readonly connectionString: string;
  readonly lock_wait_ms: number;
  readonly onLost: (error: Error) => void;
}): Promise<WriterSession> {
  const connections = new LogConnections(options.connectionString, options.onLost);
  try {
    const holder = await connections.open('tender log writer', '-c lock_timeout=10000');
    await takeWriterLock(holder, 'alone', options.lock_wait_ms);
    await outlive(holder, `${COMMITTERS_OF_LONE_WRITER} or ${COMMITTERS_OF_SHARERS}`);
    await makeLogSchema(holder, LOG_SCHEMA);
    return {
      position_max: await newestPosition(holder),
      async openCommitter() {
        const settings = `${COMMITTER_PLANNING} -c lock_timeout=10000`;
        const committer = await connections.open('tender log committer', settings);
        await committer.query(`select pg_advisory_lock_shared(${LOCK_CLASS}, ${COMMITTERS_LOCK})`);
        return committer;
      },
      end: () => connections.end(),
    };
  } catch (error) {
    await connections.end();
    throw error;
  }
}

/** Several processes may start at once; `if not exists` alone does not keep them apart. */
export async function makeLogSchema(client: Client, statements: string): Promise<void> {
  await client.query(
    `begin; select pg_advisory_xact_lock(${LOCK_CLASS}, ${SCHEMA_LOCK}); ${statements}; commit`,
  );
}

export async function newestPosition(client: Client): Promise<number> {
  const { rows } = await client.query<{ newest: string }>(SELECT_NEWEST);
  return Number(rows[0]?.newest);
}
