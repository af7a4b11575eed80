import { Unavailable, type Log, type NewEvent, type StoredEvent, type StreamName } from '@tender/eventing';
import { sampleEvent } from '@tender/eventing/testing';
import type { EventStoreDb, EventStoreDbOptions } from '../index';
import { buildDouble, makeStore, startDoubleOfTest, type DoubleOfTest } from './store-of-test';

export const stream: StreamName = 'note.test-a';
export const note = (text: unknown, on: StreamName = stream): NewEvent =>
  sampleEvent(on, { note: text });

export const quiet: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A server for each test, and the stores that the test has opened on it. */
export class Stage {
  server!: DoubleOfTest;
  private readonly stores: EventStoreDb[] = [];

  constructor() {
    beforeAll(buildDouble);
    beforeEach(async () => {
      this.server = await startDoubleOfTest();
    });
    afterEach(async () => {
      for (const store of this.stores.splice(0)) await store.close();
      await this.server.end();
    });
  }

  /** One more store, which is not started. */
  make(options: Partial<EventStoreDbOptions> = {}, url = this.server.double.connection_string) {
    const store = makeStore(url, options);
    this.stores.push(store);
    return store;
  }

  async open(options: Partial<EventStoreDbOptions> = {}): Promise<EventStoreDb> {
    const store = this.make(options);
    await store.start();
    return store;
  }
}

/** A follower that keeps what it sees. */
export function witness(store: EventStoreDb) {
  const seen: StoredEvent[] = [];
  const follower = store.follow({
    ...{ name: 'witness', categories: ['note.test'], from: null },
    onEvents: (events) => {
      seen.push(...events);
      return Promise.resolve();
    },
  });
  return { seen, follower };
}

export const turnOfLoop = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** As a client does: the same events again until there is an answer. */
export async function untilAnswered(
  store: EventStoreDb,
  event: NewEvent,
  stream: StreamName,
  revision: number,
  count: () => number,
): Promise<void> {
  const expected = revision === 0 ? 'no_stream' : revision - 1;
  const appended = await answered(() => store.append(stream, [event], expected), count);
  expect(appended).toMatchObject({ ok: true });
}

export async function answered<Answer>(
  ask: () => Promise<Answer>,
  count = () => 0,
): Promise<Answer> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      count();
      await turnOfLoop();
    }
  }
}
