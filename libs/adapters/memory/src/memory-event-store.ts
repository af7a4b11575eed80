import {
  categoryOf,
  FollowerGroup,
  storableJson,
  storedJson,
  type Appended,
  type Category,
  type EventStore,
  type ExpectedRevision,
  type Log,
  type NewEvent,
  type StoredEvent,
  type StreamName,
} from '@tender/eventing';
import { realDelays } from './real-delays';
import { silentLog } from './silent-log';

/** The log in an array: for tests. Answers a little later, as a real one does. */
export function memoryEventStore(options: { log?: Log; wall?: () => number } = {}): EventStore & {
  /** Everything, in log order. */
  readonly all: readonly StoredEvent[];
  close(): Promise<void>;
} {
  const all: StoredEvent[] = [];
  const streams = new Map<StreamName, StoredEvent[]>();
  const group = new FollowerGroup(realDelays, options.log ?? silentLog);
  const wall = options.wall ?? (() => performance.timeOrigin + performance.now());

  const source = {
    mark: () => ({ position: all.length, wall_ms: Math.floor(wall()) }),
    head: () => all.length,
    read: (categories: ReadonlySet<Category>, after: number, until: number, limit: number) => {
      const found: StoredEvent[] = [];
      for (let index = after; index < until && found.length < limit; index += 1) {
        const event = all[index] as StoredEvent;
        if (categories.has(categoryOf(event.stream))) found.push(event);
      }
      return found;
    },
  };

  return {
    all,
    append,
    load: (stream) => Promise.resolve([...(streams.get(stream) ?? [])]),
    newest: () => Promise.resolve(all.at(-1)?.position ?? null),
    isBefore: (position, other) => Number(position) < Number(other),
    follow: (followed) => group.follow(source, followed),
    close: () => group.stopAll(),
  };

  async function append(
    stream: StreamName,
    events: readonly NewEvent[],
    expected: ExpectedRevision,
  ): Promise<Appended> {
    await Promise.resolve();
    // What comes back is what JSON keeps, and callers cannot change it afterwards.
    const copies = events.map(
      ({ type, data, metadata }) =>
        storedJson(storableJson(stream, { type, data, metadata })) as NewEvent,
    );
    const history = streams.get(stream) ?? [];
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (history.length !== first) return repeatOrStale(history, copies, first);

    const stored = copies.map((event, index): StoredEvent => {
      return {
        ...event,
        stream,
        revision: first + index,
        position: String(all.length + 1 + index),
      };
    });
    all.push(...stored);
    streams.set(stream, [...history, ...stored]);
    group.moved(new Set([categoryOf(stream)]));
    return { ok: true, events: stored, position: (stored.at(-1) as StoredEvent).position };
  }
}

function repeatOrStale(
  history: readonly StoredEvent[],
  events: readonly NewEvent[],
  first: number,
): Appended {
  const there = history.slice(first, first + events.length);
  const same = events.every((event, index) => there[index]?.metadata.id === event.metadata.id);
  const last = there.at(-1);
  if (same && last) return { ok: true, events: there, position: last.position };
  return { ok: false, actual: history.length > 0 ? history.length - 1 : null };
}
