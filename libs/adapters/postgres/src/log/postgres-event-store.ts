import {
  categoryOf,
  FollowerGroup,
  LogFollower,
  type Category,
  type EventStore,
  type Follower,
  type FollowOptions,
  type Log,
  type LogLag,
  type StoredEvent,
} from '@tender/eventing';
import type { Clock } from '@tender/kernel';
import type { Cuttable } from '../connections/cuttable-pool';
import { GroupCommit } from './group-commit';
import { readJsonColumns } from '../connections/json-columns';
import { LogAppender } from './log-appender';
import { LogReader } from './log-reader';
import { realDelays } from '../connections/real-delays';
import { RecentEvents } from './recent-events';
import { WriterConnection } from './writer-connection';
import { openWriterSession } from './writer-session';

export interface PostgresEventStoreOptions {
  readonly connectionString: string;
  /** Wall time of calls, for followers' progress. */
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Log;
  /** How long `start` waits for a predecessor that is just ending; 2,000 by default. */
  readonly lock_wait_ms?: number;
  /** An append rejects with `Unavailable` after this; 5,000 by default. */
  readonly append_timeout_ms?: number;
  /** Connections that commit beside each other on a slow disk; 4 by default. */
  readonly committers_max?: number;
  readonly queue_max?: number;
  readonly recent_max?: number;
}

export type PostgresEventStore = EventStore & LogLag & Cuttable & {
  /** Throws `LogIsTaken` when another process writes this log. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** The log in one Postgres table, written by this process alone (ADR 0001). */
export function postgresEventStore(options: PostgresEventStoreOptions): PostgresEventStore {
  readJsonColumns();
  const { connectionString, clock, log } = options;
  const reader = new LogReader(connectionString, clock, log);
  const recent = new RecentEvents(options.recent_max ?? 2_048);
  const group = new FollowerGroup(realDelays);
  let mark = 0;

  const commits = new GroupCommit({
    committers_max: options.committers_max ?? 4,
    queue_max: options.queue_max ?? 20_000,
    onCommitted(events) {
      recent.release(group.slowest());
      const categories = new Set<Category>();
      for (const event of events) {
        recent.push(event);
        categories.add(categoryOf(event.stream));
      }
      mark = Number((events.at(-1) as StoredEvent).position);
      group.moved(categories);
    },
    onLost: (error) => writer.lost(error),
  });
  const lock_wait_ms = options.lock_wait_ms ?? 2_000;
  const writer = new WriterConnection({
    openSession: (onLost) => openWriterSession({ connectionString, lock_wait_ms, onLost }),
    append_timeout_ms: options.append_timeout_ms ?? 5_000,
    commits,
    clock,
    log,
    onOpen({ position_max }) {
      // What was committed in the dark is in the table, not in memory.
      recent.reset(position_max);
      mark = appender.head = position_max;
      group.wakeAll();
    },
  });
  const appender = new LogAppender(commits, writer, reader, clock);

  return {
    start: () => writer.start(),
    append: (stream, events, expected) => appender.append(stream, events, expected),
    load: (stream) => reader.load(stream),
    newest: () => reader.newestPosition(),
    isBefore: (position, other) => Number(position) < Number(other),
    follow,
    lag: (categories, from) => reader.lag(categories, from),
    cutOff: () => reader.cutOff(),
    async close() {
      await writer.close();
      await group.stopAll();
      await reader.close();
    },
  };

  function follow(followed: FollowOptions): Follower {
    const source = {
      mark: () => ({ position: mark, wall_ms: Math.min(clock.wall(), writer.oldestOpen()) }),
      head: () => Math.max(mark, appender.head),
      read: (categories: ReadonlySet<Category>, after: number, until: number, limit: number) =>
        recent.read(categories, after, until, limit) ??
        reader.after(categories, after, until, limit),
    };
    const follower = new LogFollower(source, realDelays, log, followed);
    group.add(follower);
    return {
      idle: () => follower.idle(),
      reached: (position, timeout_ms) => follower.reached(position, timeout_ms),
      async stop() {
        group.remove(follower);
        await follower.stop();
      },
    };
  }
}
