import { Pool } from 'pg';
import {
  categoryOf,
  FollowerGroup,
  LogFollower,
  storableJson,
  UnstorableText,
  type Appended,
  type Category,
  type EventStore,
  type ExpectedRevision,
  type Follower,
  type FollowOptions,
  type Log,
  type NewEvent,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { invariant, type Clock } from '@tender/kernel';
import { namedFailure } from './database-failures';
import { eventOfRow, SELECT_AFTER, SELECT_STREAM, type Ask, type EventRow } from './event-rows';
import { GroupCommit } from './group-commit';
import { readJsonColumns } from './json-columns';
import { realDelays } from './real-delays';
import { RecentEvents } from './recent-events';
import { WriterConnection } from './writer-connection';

export interface PostgresEventStoreOptions {
  readonly connectionString: string;
  /** Wall time of calls, for followers' progress. */
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Log;
  /** How long `start` waits for a predecessor that is just ending; 2,000 unless told. */
  readonly lock_wait_ms?: number;
  /** A caller hears `Unavailable` after this; 5,000 unless told. */
  readonly append_timeout_ms?: number;
  readonly lanes_max?: number;
  readonly queue_max?: number;
  readonly recent_max?: number;
}

export type PostgresEventStore = EventStore & {
  /** Throws `LogIsTaken` when another process writes this log. */
  start(): Promise<void>;
  close(): Promise<void>;
};

const READERS_MAX = 4;

/** The log in one Postgres table, written by this process alone (settled 20). */
export function postgresEventStore(options: PostgresEventStoreOptions): PostgresEventStore {
  readJsonColumns();
  const { clock, log } = options;
  const readers = new Pool({
    connectionString: options.connectionString,
    application_name: 'tender log reader',
    max: READERS_MAX,
    connectionTimeoutMillis: 2_000,
    options: '-c enable_seqscan=off -c jit=off',
  });
  readers.on('error', (error) => log.warn({ err: error }, 'a log reader lost its connection'));
  const recent = new RecentEvents(options.recent_max ?? 2_048);
  const group = new FollowerGroup(realDelays);
  let mark = 0;
  let head = 0;

  const commits = new GroupCommit({
    lanes_max: options.lanes_max ?? 4,
    queue_max: options.queue_max ?? 20_000,
    onCommitted(events) {
      recent.release(group.slowest());
      const categories = new Set<Category>();
      for (const event of events) {
        recent.push(event);
        categories.add(categoryOf(event.stream));
      }
      mark = Number((events.at(-1) as StoredEvent).position);
      head = Math.max(head, mark);
      group.moved(categories);
    },
    onLost: (error) => writer.lost(error),
  });
  const writer = new WriterConnection({
    connectionString: options.connectionString,
    lock_wait_ms: options.lock_wait_ms ?? 2_000,
    append_timeout_ms: options.append_timeout_ms ?? 5_000,
    commits,
    clock,
    log,
    onOpen(position_max) {
      // What was committed in the dark is in the table, not in memory.
      recent.reset(position_max);
      mark = head = position_max;
      group.wakeAll();
    },
  });

  return {
    start: () => writer.start(),
    append,
    load,
    isBefore: (position, other) => Number(position) < Number(other),
    follow,
    async close() {
      await writer.close();
      await group.stopAll();
      await readers.end();
    },
  };

  function append(
    stream: StreamName,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    return new Promise((resolve, reject) => {
      invariant(events.length > 0, 'an append has an event');
      if (!stream.isWellFormed() || stream.includes('\0')) throw new UnstorableText(stream);
      const ask: Ask = {
        stream,
        category: categoryOf(stream),
        events,
        data: events.map(({ data }) => storableJson(stream, data)),
        metadata: events.map(({ metadata }) => storableJson(stream, metadata)),
        first: expected === 'no_stream' ? 0 : expected + 1,
        asked_ms: clock.wall(),
        told: false,
        position: 0,
        accepted(stored) {
          writer.answered(ask);
          const { position } = stored.at(-1) as StoredEvent;
          head = Math.max(head, Number(position));
          resolve({ ok: true, events: stored, position });
        },
        refused() {
          writer.answered(ask);
          repeatOrStale(ask).then(resolve, reject);
        },
        failed(error) {
          writer.answered(ask);
          reject(error as Error);
        },
        tell: reject,
      };
      commits.add(ask);
      writer.asked(ask);
    });
  }

  async function load(stream: StreamName): Promise<readonly StoredEvent[]> {
    return (await read(() => readers.query<EventRow>({ ...SELECT_STREAM, values: [stream] }))).map(
      eventOfRow,
    );
  }

  /** The same events at the same place: this append was made before, and is answered as it was then. */
  async function repeatOrStale({ stream, events, first }: Ask): Promise<Appended> {
    const history = await load(stream);
    const there = history.slice(first, first + events.length);
    const same = events.every(({ metadata }, index) => there[index]?.metadata.id === metadata.id);
    const last = there.at(-1);
    if (same && last) return { ok: true, events: there, position: last.position };
    return { ok: false, actual: history.at(-1)?.revision ?? null };
  }

  function follow(followed: FollowOptions): Follower {
    const source = {
      mark: () => ({ position: mark, wall_ms: Math.min(clock.wall(), writer.oldestOpen()) }),
      head: () => head,
      read: (categories: ReadonlySet<Category>, after: number, until: number, limit: number) =>
        recent.read(categories, after, until, limit) ?? readTable(categories, after, until, limit),
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

  async function readTable(
    categories: ReadonlySet<Category>,
    after: number,
    until: number,
    limit: number,
  ): Promise<readonly StoredEvent[]> {
    const values = [[...categories], after, until, limit];
    return (await read(() => readers.query<EventRow>(SELECT_AFTER, values))).map(eventOfRow);
  }

  async function read(query: () => Promise<{ rows: EventRow[] }>): Promise<EventRow[]> {
    try {
      return (await query()).rows;
    } catch (error) {
      throw namedFailure('event log', error);
    }
  }
}
