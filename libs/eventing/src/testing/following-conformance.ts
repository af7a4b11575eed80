/// <reference types="jest" />
import type { Category, Position, StoredEvent, StreamName } from '../events/event';
import type { EventStore, Follower } from '../ports/event-store';
import type { StoreUnderTest } from './event-store-conformance';
import { noteOf, sampleEvent } from './sample-events';

const CATEGORIES: readonly Category[] = ['note.test', 'note.live', 'memo.test'];

export function followingConformance(opened: () => StoreUnderTest): void {
  const collect = (
    store: EventStore,
    categories: readonly Category[] = CATEGORIES,
    from: Position | null = null,
  ): { seen: StoredEvent[]; follower: Follower } => {
    const seen: StoredEvent[] = [];
    const follower = store.follow({
      name: 'collector',
      categories,
      from,
      onEvents: (events) => {
        seen.push(...events);
        return Promise.resolve();
      },
    });
    return { seen, follower };
  };

  it('hands over what is there and what comes, of its categories only, in log order', async () => {
    const { store } = opened();
    await write(store, 'note.test-a', ['one']);
    const { seen, follower } = collect(store, ['note.test', 'memo.test']);
    await write(store, 'memo.test-b', ['two']);
    await write(store, 'note.live-c', ['elsewhere']);
    await write(store, 'note.test-d', ['three', 'four']);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['one', 'two', 'three', 'four']);
    expect(seen[3]).toEqual((await store.load('note.test-d'))[1]);
    await follower.stop();
  });

  it('goes on after a position', async () => {
    const { store } = opened();
    await write(store, 'note.test-a', ['one', 'two', 'three']);
    const [, second] = await store.load('note.test-a');
    const { seen, follower } = collect(store, CATEGORIES, second?.position ?? null);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['three']);
    await follower.stop();
  });

  it('skips and doubles nothing under 16 writers of every process, on shared and own streams', async () => {
    const { store, others } = opened();
    const stores = [store, ...((await others?.(3)) ?? [])];
    const live = [
      ...[collect(store), collect(stores.at(-1) as EventStore)],
      collect(store, ['memo.test']),
    ];
    const written = await manyWriters(stores);
    const late = [collect(store), collect(store, ['note.test', 'note.live'])];
    for (const { follower } of [...live, ...late]) await follower.idle();

    const ids = (events: readonly StoredEvent[]) => events.map(({ metadata }) => metadata.id);
    const [all, again, memos] = live.map(({ seen }) => seen) as StoredEvent[][];
    expect(ids(all ?? []).sort()).toEqual([...written].sort());
    expect(again).toEqual(all);
    expect(late[0]?.seen).toEqual(all);
    expect(memos).toEqual(all?.filter(({ stream }) => stream.startsWith('memo.')));
    expect(late[1]?.seen).toEqual(all?.filter(({ stream }) => stream.startsWith('note.')));
    expectLogOrder(store, all ?? []);
    for (const { follower } of [...live, ...late]) await follower.stop();
  });

  it('follows 2,000 events of two streams in batches, to a handler that is slow', async () => {
    const { store } = opened();
    const texts = Array.from({ length: 500 }, (_, n) => `text ${n}`);
    for (const turn of [0, 1]) {
      for (const stream of ['note.test-long', 'memo.test-long'] as const) {
        const events = texts.map((note) => sampleEvent(stream, { note }));
        await store.append(stream, events, turn === 0 ? 'no_stream' : 499);
      }
    }
    const sizes: number[] = [];
    const seen: StoredEvent[] = [];
    const follower = store.follow({
      ...{ name: 'slow', categories: CATEGORIES, from: null, batch_max: 90 },
      async onEvents(events) {
        await new Promise((resolve) => setImmediate(resolve));
        sizes.push(events.length);
        seen.push(...events);
      },
    });
    await follower.idle();
    expect(seen.map(noteOf)).toEqual([...texts, ...texts, ...texts, ...texts]);
    expectLogOrder(store, seen);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(90);
    await follower.stop();
  });

  it('repeats a batch that was rejected, and nothing else', async () => {
    const { store } = opened();
    const batches: unknown[][] = [];
    let failures = 2;
    const follower = store.follow({
      name: 'fails twice',
      categories: CATEGORIES,
      from: null,
      batch_max: 2,
      onEvents: (events) => {
        batches.push(events.map(noteOf));
        failures -= 1;
        return failures >= 0 ? Promise.reject(new Error('meant')) : Promise.resolve();
      },
    });
    await write(store, 'note.test-a', ['one', 'two', 'three']);
    await follower.idle();
    await follower.stop();
    const handled = batches.slice(2);
    expect(batches[0]).toEqual(batches[1]);
    expect(handled[0]).toEqual(batches[0]);
    expect(handled.flat()).toEqual(['one', 'two', 'three']);
    expect(Math.max(...batches.map((batch) => batch.length))).toBeLessThanOrEqual(2);
  });

  it('resumes from its checkpoint wherever it was stopped', async () => {
    const { store } = opened();
    const writing = manyWriters([store]);
    const seen: StoredEvent[] = [];
    let from: Position | null = null;
    for (let stops = 0; stops < 12; stops += 1) {
      let budget = 1 + stops * 3;
      let enough = (): void => undefined;
      const stopped = new Promise<void>((resolve) => {
        enough = resolve;
      });
      const follower: Follower = store.follow({
        name: 'interrupted',
        categories: CATEGORIES,
        from,
        batch_max: 7,
        onEvents: (events) => {
          if (budget <= 0) return Promise.reject(new Error('killed before the checkpoint'));
          budget -= 1;
          seen.push(...events);
          from = events.at(-1)?.position ?? from;
          if (budget === 0) enough();
          return Promise.resolve();
        },
      });
      await Promise.race([stopped, writing.then(() => follower.idle())]);
      await follower.stop();
    }
    const written = await writing;
    const rest = collect(store, CATEGORIES, from);
    await rest.follower.idle();
    await rest.follower.stop();
    const ids = [...seen, ...rest.seen].map(({ metadata }) => metadata.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual([...written].sort());
  });

  it('resumes in another process from a checkpoint at the end of the log', async () => {
    const { store, reopen } = opened();
    const before = collect(store);
    const appended = await write(store, 'note.test-a', ['one', 'two']);
    // Refused appends must not leave a hole that a later event could fall into.
    await store.append('note.test-a', [sampleEvent('note.test-a')], 'no_stream');
    await before.follower.idle();
    const progressed = await progressOf(store, ['memo.test'], appended);
    await before.follower.stop();
    const again = await reopen();
    const rest = collect(again, CATEGORIES, progressed);
    await write(again, 'note.test-b', ['three']);
    await rest.follower.idle();
    expect(rest.seen.map(noteOf)).toEqual(['three']);
    await rest.follower.stop();
  });

  it('tells progress past events of other categories', async () => {
    const { store } = opened();
    const appended = await write(store, 'note.test-a', ['one']);
    await progressOf(store, ['memo.test'], appended);
    const late = await write(store, 'memo.test-b', ['two']);
    const position = await progressOf(store, ['note.test'], late);
    const { seen, follower } = collect(store, CATEGORIES, position);
    await follower.idle();
    expect(seen).toEqual([]);
    await follower.stop();
  });

  it('says whether a position was reached in time', async () => {
    const { store } = opened();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const follower = store.follow({
      ...{ name: 'slow', categories: CATEGORIES, from: null },
      onEvents: () => held,
    });
    const position = await write(store, 'note.test-a', ['one']);
    expect(await follower.reached(position, 20)).toBe(false);
    const reached = follower.reached(position, 300_000);
    release();
    expect(await reached).toBe(true);
    await follower.stop();
  });
}

async function write(
  store: EventStore,
  stream: StreamName,
  notes: readonly string[],
): Promise<Position> {
  const events = notes.map((note) => sampleEvent(stream, { note }));
  const appended = await store.append(stream, events, 'no_stream');
  if (!appended.ok) throw new Error(`${stream} exists`);
  return appended.position;
}

/** 16 writers; every other append goes to a stream that all of them fight for. Answers with the ids. */
async function manyWriters(stores: readonly EventStore[]): Promise<string[]> {
  const writers = Array.from({ length: 16 }, async (_, writer) => {
    const store = stores[writer % stores.length] as EventStore;
    const ids: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const category = CATEGORIES[(writer + turn) % CATEGORIES.length] as Category;
      const shared = turn % 2 === 0;
      const stream: StreamName = `${category}-${shared ? 'shared' : `own-${writer}`}`;
      // What others have appended meanwhile is in the answer.
      let last: number | null = (await store.load(stream)).at(-1)?.revision ?? null;
      for (;;) {
        const events = [sampleEvent(stream), sampleEvent(stream)].slice(turn % 3 === 0 ? 0 : 1);
        const appended = await store.append(stream, events, last ?? 'no_stream');
        if (!appended.ok) {
          last = appended.actual;
          continue;
        }
        ids.push(...events.map(({ metadata }) => metadata.id));
        break;
      }
    }
    return ids;
  });
  return (await Promise.all(writers)).flat();
}

function expectLogOrder(store: EventStore, events: readonly StoredEvent[]): void {
  const revisions = new Map<StreamName, number>();
  events.forEach((event, index) => {
    const next = events[index + 1];
    if (next) expect(store.isBefore(event.position, next.position)).toBe(true);
    expect(event.revision).toBe((revisions.get(event.stream) ?? -1) + 1);
    revisions.set(event.stream, event.revision);
  });
}

/** The first progress that is told, or the first that is not before `least`. */
function progressOf(
  store: EventStore,
  categories: readonly Category[],
  least?: Position,
): Promise<Position> {
  return new Promise((resolve) => {
    const follower = store.follow({
      ...{ name: 'progress', categories, from: null },
      onEvents: () => Promise.resolve(),
      onProgress: (position) => {
        if (least !== undefined && store.isBefore(position, least)) return Promise.resolve();
        resolve(position);
        void follower.stop();
        return Promise.resolve();
      },
    });
  });
}
