import { randomInt } from 'node:crypto';
import type { Client } from 'pg';
import { inTime } from '@tender/eventing';
import { realDelays } from '../connections/real-delays';
import { LOG_SCHEMA } from './event-rows';
import {
  COMMITTERS_OF_LONE_WRITER,
  LogConnections,
  outlive,
  SHARER_CLASS,
  takeWriterLock,
} from './log-locks';
import { LOG_CHANNEL, noticeOf, SHARED_LOG_SCHEMA, type Notice } from './shared-append';
import {
  COMMITTER_PLANNING,
  makeLogSchema,
  newestPosition,
  type WriterSession,
} from './writer-session';

/** How far the log is, and the wall time (ms) before which no process has anything still to come. */
export interface Beat {
  readonly newest: number;
  readonly wall_ms: number;
}

export interface SharedSession extends WriterSession {
  /** `open_since_ms`: nothing of this process that was recorded before that time is still to come. */
  beat(open_since_ms: number): Promise<Beat>;
}

export interface SharedSessionOptions {
  readonly connectionString: string;
  readonly lock_wait_ms: number;
  readonly onLost: (error: Error) => void;
  /** Another process has committed. */
  readonly onNotice: (notice: Notice) => void;
}

// A machine that vanishes must not keep its locks: the server gives its connections up after some seconds, and
// a statement whose process is gone ends where it waits.
const GIVING_UP =
  '-c tcp_keepalives_idle=2 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3' +
  ' -c client_connection_check_interval=1000 -c idle_in_transaction_session_timeout=5000';
const CONTROL_SETTINGS = `${GIVING_UP} -c lock_timeout=10000 -c statement_timeout=10000`;
// Well within the 15 s after which a batch counts as stuck.
const WAITING = '-c lock_timeout=4000 -c statement_timeout=8000';
const COMMITTER_SETTINGS = `${COMMITTER_PLANNING} ${GIVING_UP} ${WAITING}`;

const LEAVE_WAIT_MS = 500;

// One statement, so one snapshot: what a process had answered when it wrote its row is committed before it, and
// is seen with it. Rows of those that are gone go once no connection of theirs can commit any more.
const BEAT = {
  name: 'beat',
  query_timeout: 5_000,
  text: `with gone as (
      delete from log.sharers
      where sharer <> $1 and beat_at < clock_timestamp() - interval '2 seconds'
        and pg_try_advisory_xact_lock(${SHARER_CLASS}, sharer)),
    mine as (
      insert into log.sharers (sharer, open_since_ms, beat_at) values ($1, $2, clock_timestamp())
      on conflict (sharer) do update
        set open_since_ms = excluded.open_since_ms, beat_at = excluded.beat_at)
    select least($2::bigint, (select min(open_since_ms) from log.sharers where sharer <> $1))::text as wall_ms,
      (select coalesce(max(position), 0) from log.events)::text as newest`,
};

/** Joins those that write this log, or waits for the one that writes it alone; then listens. */
export async function openSharedSession(options: SharedSessionOptions): Promise<SharedSession> {
  const connections = new LogConnections(options.connectionString, options.onLost);
  const sharer = randomInt(1, 2 ** 31 - 1);
  const own_backends = new Set<number>();
  try {
    const control = await connections.open('tender log', CONTROL_SETTINGS);
    await takeWriterLock(control, 'shared', options.lock_wait_ms);
    await outlive(control, COMMITTERS_OF_LONE_WRITER);
    await makeLogSchema(control, LOG_SCHEMA + SHARED_LOG_SCHEMA);
    await control.query(`select pg_advisory_lock_shared(${SHARER_CLASS}, ${sharer})`);
    control.on('notification', ({ processId, payload }) => {
      // What this process commits, it hears of sooner.
      if (payload && !own_backends.has(processId)) options.onNotice(noticeOf(payload));
    });
    await control.query(`listen ${LOG_CHANNEL}`);
    return {
      position_max: await newestPosition(control),
      async openCommitter() {
        const committer = await connections.open('tender log committer', COMMITTER_SETTINGS);
        await committer.query(`select pg_advisory_lock_shared(${SHARER_CLASS}, ${sharer})`);
        own_backends.add(backendOf(committer));
        return committer;
      },
      async beat(open_since_ms) {
        const values = [sharer, Math.floor(open_since_ms)];
        try {
          const answer = await control.query<Record<keyof Beat, string>>({ ...BEAT, values });
          const [row] = answer.rows;
          return { newest: Number(row?.newest), wall_ms: Number(row?.wall_ms) };
        } catch (error) {
          // A process that the others no longer hear of hears nothing either.
          options.onLost(error as Error);
          throw error;
        }
      },
      async end() {
        await inTime(realDelays, leave(control, sharer), LEAVE_WAIT_MS, () => undefined);
        await connections.end();
      },
    };
  } catch (error) {
    await connections.end();
    throw error;
  }
}

/** From now on its row goes as soon as its connections are gone. */
async function leave(control: Client, sharer: number): Promise<void> {
  await control
    .query(`update log.sharers set beat_at = '-infinity' where sharer = $1`, [sharer])
    .catch(() => undefined);
}

const backendOf = (client: Client): number =>
  (client as unknown as { processID: number }).processID;
