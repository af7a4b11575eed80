import type { Category, Position, StoredEvent, StreamName } from '../events/event';
import type { EventStore, Follower } from '../ports/event-store';
import { sampleEvent } from './sample-events';

export const CATEGORIES: readonly Category[] = ['note.test', 'note.live', 'memo.test'];

/** A follower that keeps what it sees. */
export function collect(
  store: EventStore,
  categories: readonly Category[] = CATEGORIES,
  from: Position | null = null,
): { seen: StoredEvent[]; follower: Follower } {
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
}

export async function write(
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
export async function manyWriters(stores: readonly EventStore[]): Promise<string[]> {
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
