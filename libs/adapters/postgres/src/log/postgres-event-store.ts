import type { EventStore, LogLag, StoredEvent } from '@tender/eventing';
import type { Cuttable } from '../connections/cuttable-pool';
import { GroupCommit } from './group-commit';
import { readJsonColumns } from '../connections/json-columns';
import { KnownStreams } from './known-streams';
import { LogAppender } from './log-appender';
import { ReadingSide, type ReadingSideOptions } from './reading-side';
import { WriterConnection } from './writer-connection';
import type { Beat } from './shared-session';
import { openWriterSession } from './writer-session';

export interface PostgresEventStoreOptions extends ReadingSideOptions {
  /** How long `start` waits for a predecessor that is just ending; 2,000 by default. */
  readonly lock_wait_ms?: number;
  /** An append rejects with `Unavailable` after this; 5,000 by default. */
  readonly append_timeout_ms?: number;
  /** Connections that commit beside each other on a slow disk; 4 by default. */
  readonly committers_max?: number;
  readonly queue_max?: number;
}

export type PostgresEventStore = EventStore & LogLag & Cuttable & {
  /** Throws `LogIsTaken` when another process writes this log. */
  start(): Promise<void>;
  close(): Promise<void>;
};

/** The only writer of a log; others may follow it through what it tells. */
export type LoneEventStore = PostgresEventStore & {
  /** How far the log goes, and the wall time (ms) before which nothing is still to come. */
  beat(): Beat;
  /** Calls `listener` with what was committed, in log order; the answer ends that. */
  onCommitted(listener: (events: readonly StoredEvent[]) => void): () => void;
};

/** The log in one Postgres table, written by this process alone (ADR 0001). */
export function postgresEventStore(options: PostgresEventStoreOptions): LoneEventStore {
  readJsonColumns();
  const { connectionString, clock, log } = options;
  const reading = new ReadingSide(options);
  const { reader } = reading;
  const known = new KnownStreams((stream) => reader.load(stream));
  const listeners = new Set<(events: readonly StoredEvent[]) => void>();
  let mark = 0;

  const commits = new GroupCommit({
    committers_max: options.committers_max ?? 4,
    queue_max: options.queue_max ?? 20_000,
    onCommitted(events) {
      mark = Number((events.at(-1) as StoredEvent).position);
      reading.passOn(events);
      for (const listener of listeners) listener(events);
    },
    onLost: (error) => writer.lost(error),
  });
  const lock_wait_ms = options.lock_wait_ms ?? 2_000;
  const writer = new WriterConnection({
    openSession(onLost) {
      known.forgetAll();
      return openWriterSession({ connectionString, lock_wait_ms, onLost });
    },
    append_timeout_ms: options.append_timeout_ms ?? 5_000,
    commits,
    clock,
    log,
    onOpen({ position_max }) {
      // What was committed in the dark is in the table, not in memory.
      reading.recent.reset(position_max);
      mark = appender.head = position_max;
      reading.group.wakeAll();
    },
  });
  const appender = new LogAppender(commits, writer, reader, clock, known);

  const end = {
    mark: () => ({ position: mark, wall_ms: Math.min(clock.wall(), writer.oldestOpen()) }),
    head: () => Math.max(mark, appender.head),
  };

  return {
    ...reading.answers,
    load: (stream) => (commits.isOpen ? known.load(stream) : reader.load(stream)),
    async newest() {
      const committed = await reader.newest();
      // What is committed and not answered yet, no follower knows of: whoever waits for it would wait for nothing.
      const answered = commits.isOpen ? end.head() : committed;
      return answered === 0 ? null : String(answered);
    },
    start: () => writer.start(),
    append: (stream, events, expected) => appender.append(stream, events, expected),
    follow: (followed) => reading.follow(end, followed),
    beat() {
      const { position, wall_ms } = end.mark();
      return { newest: position, wall_ms };
    },
    onCommitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await writer.close();
      await reading.close();
    },
  };
}
