import { followTail } from './follow-tail';
import { GroupCommit } from './group-commit';
import { readJsonColumns } from '../connections/json-columns';
import { LogAppender } from './log-appender';
import { LogTail } from './log-tail';
import type { PostgresEventStore, PostgresEventStoreOptions } from './postgres-event-store';
import { realDelays } from '../connections/real-delays';
import { ReadingSide } from './reading-side';
import { appendShared } from './shared-append';
import { openSharedSession, type SharedSession } from './shared-session';
import { WriterConnection } from './writer-connection';

export type SharedPostgresEventStoreOptions = Omit<PostgresEventStoreOptions, 'committers_max'>;

const BEAT_MS = 500;

/**
 * The log in one Postgres table, written by several processes. Each gathers its appends as the lone writer
 * does; the database takes one batch at a time and gives out the positions, so nothing is ever committed
 * behind a follower (ADR 0001). Followers are woken by what the processes notify each other of.
 */
export function sharedPostgresEventStore(
  options: SharedPostgresEventStoreOptions,
): PostgresEventStore {
  readJsonColumns();
  const { connectionString, clock, log } = options;
  const lock_wait_ms = options.lock_wait_ms ?? 2_000;
  const reading = new ReadingSide(options, { has_heartbeat: false });
  const { reader } = reading;
  const tail = new LogTail(reading, realDelays, log);
  let session: SharedSession | null = null;
  let begun = false;
  let closed = false;
  let stopBeating = (): void => undefined;

  const commits = new GroupCommit({
    committers_max: 1,
    queue_max: options.queue_max ?? 20_000,
    insert: appendShared,
    onCommitted: (events) => tail.committed(events),
    onLost: (error) => writer.lost(error),
  });
  const writer = new WriterConnection<SharedSession>({
    async openSession(onLost) {
      const opened = await openSharedSession({
        ...{ connectionString, lock_wait_ms, onLost },
        onNotice: (notice) => tail.noticed(notice),
      });
      // Nothing is appended before the others can see since when it may be under way.
      await opened.beat(openSince());
      return opened;
    },
    append_timeout_ms: options.append_timeout_ms ?? 5_000,
    commits,
    clock,
    log,
    onOpen(opened) {
      session = opened;
      if (begun) tail.heard(opened.position_max);
      else tail.begin(opened.position_max);
      begun = true;
    },
  });
  const appender = new LogAppender(commits, writer, reader, clock, null);

  return {
    ...reading.answers,
    async start() {
      await writer.start();
      await beat();
    },
    append: (stream, events, expected) => appender.append(stream, events, expected),
    follow: followTail(reading, tail, log),
    async close() {
      closed = true;
      stopBeating();
      await writer.close();
      tail.close();
      await reading.close();
    },
  };

  function openSince(): number {
    return Math.min(clock.wall(), writer.oldestOpen());
  }

  /** Tells the others since when appends are under way here, and hears of theirs; nothing else is polled. */
  async function beat(): Promise<void> {
    try {
      // A lost connection is noticed where it is made again.
      if (session) tail.beat(await session.beat(openSince()));
    } catch (error) {
      log.warn({ err: error }, 'the event log did not answer its beat');
    }
    if (!closed) stopBeating = realDelays.after(BEAT_MS, () => void beat());
  }
}
