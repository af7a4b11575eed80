/// <reference types="jest" />
import type { Category, Position, StoredEvent } from '../events/event';
import type { EventStore, Follower } from '../ports/event-store';
import { CATEGORIES, collect, manyWriters, write } from './log-collector';
import { noteOf, sampleEvent } from './sample-events';
import type { StoreUnderTest } from './store-under-test';

/** Where a follower goes on, and how it tells how far it is. */
export function resumingConformance(opened: () => StoreUnderTest): void {
  it('goes on after a position', async () => {
    const { store } = opened();
    await write(store, 'note.test-a', ['one', 'two', 'three']);
    const [, second] = await store.load('note.test-a');
    const { seen, follower } = collect(store, CATEGORIES, second?.position ?? null);
    await follower.idle();
    expect(seen.map(noteOf)).toEqual(['three']);
    await follower.stop();
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

/** The first progress of a new follower, or its first that is not before `least`. */
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
