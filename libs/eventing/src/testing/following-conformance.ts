/// <reference types="jest" />
import type { StoredEvent, StreamName } from '../events/event';
import type { EventStore } from '../ports/event-store';
import { CATEGORIES, collect, manyWriters, write } from './log-collector';
import { noteOf, sampleEvent } from './sample-events';
import type { StoreUnderTest } from './store-under-test';

/** Which events a follower is handed, and how. */
export function followingConformance(opened: () => StoreUnderTest): void {
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
