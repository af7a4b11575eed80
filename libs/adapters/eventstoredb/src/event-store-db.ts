import {
  LogFollower,
  storableJson,
  UnstorableText,
  type Appended,
  type EventStore,
  type ExpectedRevision,
  type Follower,
  type FollowOptions,
  type Lag,
  type Log,
  type LogLag,
  type NewEvent,
  type Position,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { invariant, type Clock } from '@tender/kernel';
import { readLag } from './read-lag';
import { LogClient } from './log-client';
import { LogTail, type Place } from './log-tail';
import { realDelays } from './real-delays';
import { appendMessages, newestRequest, streamRequest } from './requests';
import { positionOf, storedEvent, streamOf } from './stored-events';
import { SubscribedLog } from './subscribed-log';

export interface EventStoreDbOptions {
  /** `esdb://user:password@host:2113?tls=true`; EventStoreDB 23.10 or later, or KurrentDB. Never logged. */
  readonly connectionString: string;
  /** Wall time, for followers' progress. */
  readonly clock: Pick<Clock, 'wall'>;
  readonly log: Log;
  /** A caller hears `Unavailable` after this; 5,000 by default. The same in every process that appends. */
  readonly append_timeout_ms?: number;
  /** By how much clocks may differ, and a server may be late with what was given up; 2,000 by default. */
  readonly late_ms?: number;
  /** A subscription that is silent for so long while the log moves is replaced; 60,000 by default. */
  readonly silent_ms?: number;
  /** A read that is not over by then throws `Unavailable`; 10,000 by default. */
  readonly read_timeout_ms?: number;
}

export type EventStoreDb = EventStore &
  LogLag & {
    /** Throws `Unavailable` when the store cannot be reached. */
    start(): Promise<void>;
    close(): Promise<void>;
  };

const HEARTBEAT_MS = 500;
const BATCH_MAX = 500;
const WHOLE_STREAM = Number.MAX_SAFE_INTEGER;

/** The log in EventStoreDB or KurrentDB. Any number of processes write it. Connects when it is started. */
export function eventStoreDb(options: EventStoreDbOptions): EventStoreDb {
  const { clock, log } = options;
  const append_timeout_ms = options.append_timeout_ms ?? 5_000;
  const read_timeout_ms = options.read_timeout_ms ?? 10_000;
  const client = new LogClient(options.connectionString);
  const tail = new LogTail({
    newest: newestPlaces,
    wall: clock.wall,
    late_ms: append_timeout_ms + (options.late_ms ?? 2_000),
  });
  const running = new Map<LogFollower, SubscribedLog>();
  let cancelHeartbeat: (() => void) | null = null;
  let reachable = true;
  let closed = false;

  return {
    start: () => tail.refresh(),
    append,
    load: (stream) => readStream(stream, 0, WHOLE_STREAM),
    newest,
    isBefore: (position, other) => Number(position) < Number(other),
    follow,
    lag: (categories, from): Promise<Lag> =>
      readLag({ client, read_timeout_ms, wall: clock.wall }, categories, from),
    async close() {
      closed = true;
      cancelHeartbeat?.();
      await Promise.all([...running.keys()].map(stopFollower));
      await client.close();
    },
  };

  async function append(
    stream: StreamName,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    invariant(events.length > 0, 'an append has an event');
    if (!stream.isWellFormed() || stream.includes('\0')) throw new UnstorableText(stream);
    const proposed = events.map(({ type, data, metadata }) => ({
      ...{ id: metadata.id, type, data: storableJson(stream, data) },
      metadata: storableJson(stream, metadata),
    }));
    const first = expected === 'no_stream' ? 0 : expected + 1;
    const messages = appendMessages(stream, proposed, expected);
    const answer = await client.append(messages, append_timeout_ms);
    const wrong = answer.getWrongExpectedVersion();
    if (wrong) {
      const actual = wrong.hasCurrentRevision() ? Number(wrong.getCurrentRevision()) : null;
      return repeatOrStale(stream, events, first, actual);
    }
    const position = answer.getSuccess()?.getPosition();
    const [only, ...others] = events;
    if (only && others.length === 0 && position) {
      const stored = storedAs(only, stream, first, String(positionOf(position)));
      return { ok: true, events: [stored], position: stored.position };
    }
    // The answer names one position of several; and it is the same for a repeat.
    const stored = await readStream(stream, first, events.length);
    return { ok: true, events: stored, position: (stored.at(-1) as StoredEvent).position };
  }

  /** The server knows repeats itself; this is for one whose index no longer holds the ids. */
  async function repeatOrStale(
    stream: StreamName,
    events: readonly NewEvent[],
    first: number,
    actual: number | null,
  ): Promise<Appended> {
    if (actual === null || actual < first + events.length - 1) return { ok: false, actual };
    const there = await readStream(stream, first, events.length);
    const same = events.every(({ metadata }, index) => there[index]?.metadata.id === metadata.id);
    const last = there.at(-1);
    if (same && last) return { ok: true, events: there, position: last.position };
    return { ok: false, actual };
  }

  async function readStream(
    stream: StreamName,
    revision: number,
    count: number,
  ): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    const request = streamRequest(stream, revision, count);
    for await (const message of client.read(request, read_timeout_ms)) {
      const recorded = message.getEvent()?.getEvent();
      if (recorded) events.push(storedEvent(recorded));
    }
    return events;
  }

  async function newest(): Promise<Position | null> {
    for await (const { position } of newestPlaces(1)) return String(position);
    return null;
  }

  async function* newestPlaces(count: number): AsyncGenerator<Place> {
    for await (const message of client.read(newestRequest(count), read_timeout_ms)) {
      const recorded = message.getEvent()?.getEvent();
      if (recorded) yield { position: positionOf(recorded), stream: streamOf(recorded) };
    }
  }

  function follow(followed: FollowOptions): Follower {
    const begin = followed.from ?? '0';
    const source = new SubscribedLog({
      name: followed.name,
      categories: new Set(followed.categories),
      from: Number(begin),
      queue_max: 2 * (followed.batch_max ?? BATCH_MAX),
      silent_ms: options.silent_ms ?? 60_000,
      ...{ client, tail, log },
      onMore: () => follower.wake(),
    });
    const follower = new LogFollower(source, realDelays, log, {
      ...followed,
      onProgress(position, wall_ms) {
        if (wall_ms > 0 || position !== begin) return followed.onProgress?.(position, wall_ms);
      },
    });
    running.set(follower, source);
    if (!cancelHeartbeat) beat();
    return {
      async idle() {
        await tail.refresh();
        const { end } = tail;
        if (Number(begin) > end) await source.broken;
        for (const other of running.values()) other.tailMoved();
        await Promise.race([source.broken, follower.untilHandled(end)]);
      },
      reached: (position, timeout_ms) => follower.reached(position, timeout_ms),
      stop: () => stopFollower(follower),
    };
  }

  async function stopFollower(follower: LogFollower): Promise<void> {
    const source = running.get(follower);
    running.delete(follower);
    await Promise.all([source?.stop(), follower.stop()]);
  }

  /** Followers' progress past the events of others, and their wall time, move on by it. */
  function beat(): void {
    cancelHeartbeat = realDelays.after(HEARTBEAT_MS, () => {
      look().finally(() => {
        if (!closed) beat();
      });
    });
  }

  async function look(): Promise<void> {
    if (running.size === 0) return;
    try {
      await tail.refresh();
      if (!reachable) log.info({}, 'the event store is reached again');
      reachable = true;
    } catch (error) {
      if (reachable) log.warn({ err: error }, 'the event store cannot be reached');
      reachable = false;
      return;
    }
    for (const source of running.values()) source.tailMoved();
  }
}

const storedAs = (
  { type, data, metadata }: NewEvent,
  stream: StreamName,
  revision: number,
  position: Position,
): StoredEvent => ({ type, data, metadata, stream, revision, position });

