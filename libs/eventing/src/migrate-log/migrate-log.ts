import { hashOf } from '../aggregates/command-handler';
import type { Category, NewEvent, Position, StoredEvent, StreamName } from '../events/event';
import type { EventStore, Follower } from '../ports/event-store';

/** A log that no process writes any more, read from one end to the other. */
export interface LogSource {
  /** Of everything that is in it. */
  categories(): Promise<readonly Category[]>;
  /** Everything after `after` (null: from the beginning) in log order, in batches of any size. */
  pages(after: Position | null): AsyncIterable<readonly StoredEvent[]>;
}

/** Where an event was, and where it is now. */
export interface MovedEvent {
  readonly from: Position;
  readonly to: Position;
}

/** What was copied so far; a copy that was cut off goes on behind it, and checkpoints are translated by it. */
export interface MovedPositions {
  /** The newest one; null before the first. */
  last(): Promise<MovedEvent | null>;
  /** In log order. */
  keep(moved: readonly MovedEvent[]): Promise<void>;
  /** New positions by old ones; a position that was not moved is missing. */
  find(from: readonly Position[]): Promise<ReadonlyMap<Position, Position>>;
}

export interface LogMove {
  readonly source: LogSource;
  readonly target: EventStore;
  readonly moved: MovedPositions;
  /** Called with the number of events that are done, after each batch. */
  readonly onProgress?: (events: number) => void;
}

/** The two logs do not tell the same; nothing may be started on the new one. */
export class LogsDiffer extends Error {
  override readonly name = 'LogsDiffer';
  constructor(stream: StreamName, revision: number, what: string) {
    super(`${stream} at revision ${revision}: ${what}`);
  }
}

/**
 * Copies every event in log order: the same stream, revision, id, data and metadata. One at a time, so that the
 * new log has the order of the old one and each old position has one new one. Cut off, it goes on where it was:
 * an append that was made before answers as it did then. Throws `LogsDiffer` where the new log holds something
 * else, and `Unavailable`. Answers how many events were copied by this call.
 */
export async function copyLog({ source, target, moved, onProgress }: LogMove): Promise<number> {
  let last = await moved.last();
  let copied = 0;
  for await (const page of source.pages(last?.from ?? null)) {
    const pairs: MovedEvent[] = [];
    for (const run of runsOfOneStream(page)) {
      for (const pair of await copyRun(target, run)) {
        const [{ stream, revision }] = run;
        if (last && !target.isBefore(last.to, pair.to)) {
          throw new LogsDiffer(stream, revision, 'is in the new log before events that it comes after');
        }
        pairs.push(pair);
        last = pair;
      }
    }
    await moved.keep(pairs);
    copied += pairs.length;
    onProgress?.(copied);
  }
  return copied;
}

type Run = readonly [StoredEvent, ...StoredEvent[]];

async function copyRun(target: EventStore, run: Run): Promise<MovedEvent[]> {
  const [{ stream, revision }] = run;
  const events = run.map(({ type, data, metadata }): NewEvent => ({ type, data, metadata }));
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  const appended = await target.append(stream, events, expected);
  if (!appended.ok) {
    const there = appended.actual === null ? 'nothing' : `events up to revision ${appended.actual}`;
    throw new LogsDiffer(stream, revision, `the new log holds ${there} of this stream, and others`);
  }
  return run.map(({ position }, index) => {
    const { position: to } = appended.events[index] as StoredEvent;
    return { from: position, to };
  });
}

/** Neighbours of one stream go in one append: they stay neighbours. */
function runsOfOneStream(page: readonly StoredEvent[]): Run[] {
  const runs: [StoredEvent, ...StoredEvent[]][] = [];
  for (const event of page) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const goes_on = last?.stream === event.stream && last.revision + 1 === event.revision;
    if (run && goes_on) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

/** What was found alike. */
export interface VerifiedLog {
  readonly events: number;
  readonly streams: number;
}

/**
 * Walks both logs side by side, the new one as followers do: the same events in the same order and no others,
 * each where its position was kept; and every stream whole, with its chain of hashes. Throws `LogsDiffer`.
 */
export async function verifyCopy(move: LogMove): Promise<VerifiedLog> {
  const { source, target, onProgress } = move;
  const categories = await source.categories();
  if (categories.length === 0) return { events: 0, streams: 0 };
  const old = eventsOf(source.pages(null));
  let events = 0;
  let streams = 0;
  let fault: unknown = null;
  const follower: Follower = target.follow({
    name: 'migrate-log',
    categories,
    from: null,
    async onEvents(page) {
      if (fault) return;
      try {
        streams += await verifyPage(move, old, page);
        events += page.length;
        onProgress?.(events);
      } catch (error) {
        // Thrown here, it would be tried again for ever.
        fault = error;
      }
    },
  });
  await follower.idle().finally(() => follower.stop());
  if (fault) throw fault as Error;
  const { value: missing } = await old.next();
  if (missing) throw new LogsDiffer(missing.stream, missing.revision, 'is not in the new log');
  return { events, streams };
}

/** Answers how many streams begin on this page. */
async function verifyPage(
  { target, moved }: LogMove,
  old: AsyncIterator<StoredEvent, undefined>,
  page: readonly StoredEvent[],
): Promise<number> {
  const origins: StoredEvent[] = [];
  for (const event of page) {
    const { value: origin } = await old.next();
    const { stream, revision } = event;
    if (!origin) throw new LogsDiffer(stream, revision, 'is in the new log alone');
    if (told(event) !== told(origin)) {
      throw new LogsDiffer(origin.stream, origin.revision, `the new log has ${stream} ${revision} there`);
    }
    origins.push(origin);
  }
  const kept = await moved.find(origins.map(({ position }) => position));
  for (const [index, { stream, revision, position }] of page.entries()) {
    if (kept.get((origins[index] as StoredEvent).position) === position) continue;
    throw new LogsDiffer(stream, revision, `is at ${position}, which is not what was kept`);
  }
  const begun = page.filter(({ revision }) => revision === 0);
  for (const { stream } of begun) verifyStream(stream, await target.load(stream));
  return begun.length;
}

const told = ({ stream, revision, type, data, metadata }: StoredEvent): string =>
  JSON.stringify([stream, revision, type, data, metadata]);

function verifyStream(stream: StreamName, events: readonly StoredEvent[]): void {
  for (const [index, { revision, metadata }] of events.entries()) {
    if (revision !== index) throw new LogsDiffer(stream, index, 'is missing in its stream');
    const before = events[index - 1];
    if (metadata.prev_hash === (before ? hashOf(before) : null)) continue;
    throw new LogsDiffer(stream, revision, 'does not follow the event before it: its hash is another');
  }
}

async function* eventsOf(
  pages: AsyncIterable<readonly StoredEvent[]>,
): AsyncGenerator<StoredEvent, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}
